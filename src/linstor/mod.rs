//! How linstor-csi 1.12.0 reads a StorageClass's parameters (`pkg/volume/parameter.go`, `pkg/volume/remoteaccess.go`
//! in `piraeusdatastore/linstor-csi`): may a volume of the class be attached from every node?
//!
//! - Two parameters have a say: `allowRemoteVolumeAccess`, and while that is unset `layerList`.
//! - A value of either that the driver rejects means that no volume of the class can be created: not anywhere.
//! - Bad values of other parameters make the driver reject the class too, but say nothing about remote access.
//! - Where a class spells one of the two in several ways the driver takes any of them, at random. The answer is
//!   then the one that every choice leads to; where they differ it is [`Anywhere::CannotTell`]. Spellings of
//!   `layerList` do not matter while the access parameter decides alone.
//!
//! The driver's flag `--default-remote-access-policy` can change what an unset access parameter means. A policy that
//! sees only classes cannot know it.

mod access;
mod layers;
mod yaml;

use access::Access;
use layers::Layers;

/// Whether every node may attach a volume of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteAccess {
    /// The answer.
    pub anywhere: Anywhere,
    /// The parameter that decided, as written in the class (key and value); `None` where the absence of both did.
    pub decided_by: Option<(String, String)>,
}

/// See [`RemoteAccess`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anywhere {
    /// Every node may attach the volume.
    Yes,
    /// Only some nodes may, or no volume of the class can be created at all.
    No,
    /// Spellings of one key contradict each other: the driver takes any of them, at random.
    CannotTell,
}

/// The namespace of the driver's own parameters; an empty one means the same (`linstor.ParameterNamespace`).
const NAMESPACE: &str = "linstor.csi.linbit.com";

/// A parameter as written, and what the driver reads.
type Read<'a, T> = (&'a (String, String), T);

/// Reads the parameters of a class.
#[must_use]
pub fn remote_access(parameters: &[(String, String)]) -> RemoteAccess {
    let access: Vec<Read<'_, Access>> =
        spellings(parameters, "allowremotevolumeaccess").map(|entry| (entry, Access::parse(&entry.1))).collect();
    let layers: Vec<Read<'_, Layers>> =
        spellings(parameters, "layerlist").map(|entry| (entry, Layers::parse(&entry.1))).collect();

    // The driver parses every spelling, so one that it rejects spoils the class whichever it would have taken.
    if let Some(entry) = find(&access, Access::Invalid) {
        return answer(Anywhere::No, Some(entry));
    }
    let alone = agreed(access.iter().map(|(_, access)| *access));
    if alone == Some(Access::Restricted) {
        return answer(Anywhere::No, access.first().map(|(entry, _)| *entry));
    }
    if let Some(entry) = find(&layers, Layers::Invalid) {
        return answer(Anywhere::No, Some(entry));
    }

    let by_layers = if layers.is_empty() {
        Some(Anywhere::Yes) // the default is DRBD STORAGE
    } else {
        agreed(layers.iter().map(|(_, layers)| match layers {
            Layers::Remote => Anywhere::Yes,
            Layers::Local | Layers::Invalid => Anywhere::No,
        }))
    };
    let first_layers = layers.first().map(|(entry, _)| *entry);
    if access.is_empty() {
        return answer(by_layers.unwrap_or(Anywhere::CannotTell), first_layers);
    }
    let by_access = agreed(access.iter().map(|(_, access)| match access {
        Access::Anywhere => Anywhere::Yes,
        Access::Restricted | Access::Invalid => Anywhere::No,
        Access::Unset => by_layers.unwrap_or(Anywhere::CannotTell),
    }));
    match by_access {
        None => answer(Anywhere::CannotTell, access.first().map(|(entry, _)| *entry)),
        Some(anywhere) => {
            let decided = access.iter().find(|(_, access)| *access != Access::Unset).map(|(entry, _)| *entry);
            answer(anywhere, decided.or(first_layers))
        }
    }
}

/// The parameters that the driver takes for `name`, which is in lower case.
fn spellings<'a>(parameters: &'a [(String, String)], name: &'a str) -> impl Iterator<Item = &'a (String, String)> {
    parameters.iter().filter(move |(key, _)| spells(key, name))
}

fn spells(key: &str, name: &str) -> bool {
    // Most keys are told from a name by their last letter.
    let last = |text: &str| text.bytes().last().unwrap_or_default().to_ascii_lowercase();
    if last(key).is_ascii() && last(key) != last(name) {
        return false;
    }
    if key.is_ascii() {
        // What most keys are. Nothing is looked for in them: a name has no slash.
        let (prefix, own) = key.split_at_checked(key.len().saturating_sub(name.len())).unwrap_or_default();
        return own.eq_ignore_ascii_case(name)
            && (prefix.is_empty() || matches!(prefix.strip_suffix('/'), Some("" | NAMESPACE)));
    }
    let own = match key.split_once('/') {
        None => key,
        Some(("" | NAMESPACE, own)) => own,
        Some(_) => return false,
    };
    own.chars().map(lower).eq(name.chars())
}

/// Go's `strings.ToLower`, as far as it leads into ASCII.
fn lower(char: char) -> char {
    if char == '\u{130}' { 'i' } else { char.to_ascii_lowercase() }
}

/// The first entry that is read as `value`.
fn find<'a, T: PartialEq>(read: &[Read<'a, T>], value: T) -> Option<&'a (String, String)> {
    read.iter().find(|(_, read)| *read == value).map(|(entry, _)| *entry)
}

/// What all say, if they say one thing.
fn agreed<T: PartialEq + Copy>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

fn answer(anywhere: Anywhere, decided_by: Option<&(String, String)>) -> RemoteAccess {
    RemoteAccess { anywhere, decided_by: decided_by.cloned() }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const ACCESS: &str = "linstor.csi.linbit.com/allowRemoteVolumeAccess";
    const LAYERS: &str = "linstor.csi.linbit.com/layerList";

    #[rstest]
    #[case(&[], Anywhere::Yes, None)]
    #[case(&[("storagePool", "data")], Anywhere::Yes, None)]
    #[case(&[(LAYERS, "storage")], Anywhere::No, Some(LAYERS))]
    #[case(&[(ACCESS, "false")], Anywhere::No, Some(ACCESS))]
    #[case(&[(ACCESS, "false"), (LAYERS, "bad")], Anywhere::No, Some(ACCESS))]
    #[case(&[(ACCESS, "true"), (LAYERS, "bad")], Anywhere::No, Some(LAYERS))]
    #[case(&[(ACCESS, ""), (LAYERS, "storage")], Anywhere::No, Some(LAYERS))]
    #[case(&[(ACCESS, "")], Anywhere::Yes, None)]
    #[case(&[(ACCESS, "true"), (LAYERS, "storage")], Anywhere::Yes, Some(ACCESS))]
    #[case(&[("layerlİst", "storage")], Anywhere::No, Some("layerlİst"))]
    fn the_deciding_parameter_is_named(
        #[case] parameters: &[(&str, &str)],
        #[case] anywhere: Anywhere,
        #[case] key: Option<&str>,
    ) {
        let result = read(parameters);
        assert_eq!(result.anywhere, anywhere);
        assert_eq!(result.decided_by.map(|(key, _)| key).as_deref(), key);
    }

    #[rstest]
    #[case::contradiction(&[("/allowRemoteVolumeAccess", "0"), (ACCESS, "1")], Anywhere::CannotTell)]
    #[case::unset_or_false(&[("allowRemoteVolumeAccess", ""), (ACCESS, "false")], Anywhere::CannotTell)]
    #[case::unset_or_true(&[("allowRemoteVolumeAccess", ""), (ACCESS, "true")], Anywhere::Yes)]
    #[case::equal_values(&[("allowRemoteVolumeAccess", "false"), (ACCESS, "false")], Anywhere::No)]
    #[case::one_rejected(&[("allowRemoteVolumeAccess", "bogus"), (ACCESS, "true")], Anywhere::No)]
    #[case::layers(&[("layerList", "drbd"), (LAYERS, "storage")], Anywhere::CannotTell)]
    #[case::layers_agree(&[("layerList", "luks storage"), (LAYERS, "storage")], Anywhere::No)]
    #[case::layers_unneeded(&[("layerList", "drbd"), (LAYERS, "storage"), (ACCESS, "true")], Anywhere::Yes)]
    #[case::layers_needed_by_one(
        &[("layerList", "drbd"), (LAYERS, "storage"), (ACCESS, "true"), ("allowRemoteVolumeAccess", "")],
        Anywhere::CannotTell
    )]
    #[case::other_keys(&[("storagePool", "a"), ("StoragePool", "b"), (ACCESS, "true")], Anywhere::Yes)]
    fn spellings_count_only_where_they_contradict(#[case] parameters: &[(&str, &str)], #[case] anywhere: Anywhere) {
        assert_eq!(read(parameters).anywhere, anywhere);
    }

    #[test]
    fn a_contradiction_names_the_first_spelling() {
        let result = read(&[("/allowRemoteVolumeAccess", "0"), (ACCESS, "1")]);
        assert_eq!(result.decided_by, Some(("/allowRemoteVolumeAccess".to_owned(), "0".to_owned())));
    }

    fn read(parameters: &[(&str, &str)]) -> RemoteAccess {
        let owned: Vec<_> = parameters.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        remote_access(&owned)
    }
}
