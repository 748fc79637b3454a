//! The rows: what can be cloned.

use std::fmt;

use vmdisk_policy::clone::{Resolved, source};
use vmdisk_policy::cluster::{Cluster, Kind};
use vmdisk_policy::quantity::Quantity;
use vmdisk_policy::settings::Settings;
use vmdisk_policy::subject::{ClaimSource, DataVolume, Source};
use vmdisk_policy::text;

use crate::dump::Dump;

/// What a row's disks are cloned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowSource {
    /// A claim.
    Claim {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// A DataSource.
    DataSource {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
}

impl RowSource {
    /// The kind of object.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Claim { .. } => Kind::PersistentVolumeClaim,
            Self::DataSource { .. } => Kind::DataSource,
        }
    }

    /// `namespace/name`, fit to be printed.
    #[must_use]
    pub fn place(&self) -> String {
        let (Self::Claim { namespace, name } | Self::DataSource { namespace, name }) = self;
        format!("{}/{}", text::name(namespace), text::name(name))
    }
}

/// `DataSource namespace/name`; of a claim only `namespace/name`.
impl fmt::Display for RowSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Claim { .. } => f.write_str(&self.place()),
            Self::DataSource { .. } => write!(f, "DataSource {}", self.place()),
        }
    }
}

/// The golden images of a dump (the claims of the image namespace with the image prefix), then its DataSources.
#[must_use]
pub fn rows(dump: &Dump, settings: &Settings) -> Vec<RowSource> {
    let vm_disk = &settings.vm_disk;
    let is_image = |(namespace, name): &(&str, &str)| {
        *namespace == vm_disk.image_namespace && name.starts_with(vm_disk.image_prefix.as_ref())
    };
    let images = dump.names_of(Kind::PersistentVolumeClaim).filter(is_image);
    let images =
        images.map(|(namespace, name)| RowSource::Claim { namespace: namespace.to_owned(), name: name.to_owned() });
    let sources = dump.names_of(Kind::DataSource);
    let sources = sources
        .map(|(namespace, name)| RowSource::DataSource { namespace: namespace.to_owned(), name: name.to_owned() });
    images.chain(sources).collect()
}

/// What is known of a row's source.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Its class.
    pub(super) class: Option<String>,
    /// Its size.
    pub(super) size: Option<String>,
}

/// What a source, seen from a disk in that namespace, has.
pub(super) fn source_of(row: &RowSource, dump: &Dump, namespace: &str) -> Known {
    let source = match row.clone() {
        RowSource::Claim { namespace, name } => Source::Claim(ClaimSource { namespace, name }),
        RowSource::DataSource { namespace, name } => Source::DataSource { namespace, name },
    };
    let disk = DataVolume { namespace: namespace.to_owned(), source, ..DataVolume::default() };
    let cluster = Cluster::new(dump);
    let size = |quantity: &Option<Quantity>| quantity.as_ref().map(|quantity| quantity.text().to_owned());
    match source::resolve(&disk, &cluster) {
        Ok(Resolved::Claim(of)) => {
            let claim = cluster.claim(&of.namespace, &of.name).ok().and_then(vmdisk_policy::cluster::Answer::present);
            claim.map_or_else(Known::default, |claim| Known {
                class: claim.storage_class_name.clone(),
                size: size(&claim.request),
            })
        }
        Ok(Resolved::Snapshot(of)) => {
            let snapshot = cluster.volume_snapshot(&of.namespace, &of.name).ok();
            let snapshot = snapshot.and_then(vmdisk_policy::cluster::Answer::present);
            // A restore size of zero is none.
            let restore = snapshot.and_then(|snapshot| snapshot.status.clone()?.restore_size);
            Known { class: None, size: size(&restore.filter(|size| size.bytes() > 0)) }
        }
        Ok(Resolved::Unresolved { .. } | Resolved::NotAClone) | Err(_) => Known::default(),
    }
}
