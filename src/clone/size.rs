//! Sizes: file system overhead, the smallest claim of a class, and the comparison with the source.

use super::steps::Step;
use super::target::resolve_mode;
use super::{BLOCK, ErrorClass, Fault, Stage, keys, storage_class};
use crate::cluster::{Cluster, Failure};
use crate::quantity::Quantity;

/// One MiB: the smallest disk, and the block that images are aligned to (`pkg/util/util.go`, `DefaultAlignBlockSize`).
pub(super) const MIB: i128 = 1024 * 1024;

/// The size of a claim that holds an image of that many bytes (`pkg/controller/common/util.go`,
/// `InflateSizeWithOverhead`): with the file system's overhead, except on a raw device.
pub(super) fn inflate(
    bytes: i128,
    volume_mode: Option<&str>,
    class: Option<&str>,
    cluster: &Cluster<'_>,
) -> Result<Quantity, Failure> {
    if resolve_mode(volume_mode) == BLOCK {
        return Ok(Quantity::from_bytes(bytes));
    }
    Ok(Quantity::from_bytes(required_space(overhead(class, cluster)?, bytes)))
}

/// `pkg/util/util.go`, `GetRequiredSpace`, in the same double-precision arithmetic: a size that is computed otherwise
/// would differ by a few bytes, which is enough to make a volume too small.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "what CDI computes, rounding included")]
fn required_space(overhead: f64, bytes: i128) -> i128 {
    let aligned = ((bytes as f64 / MIB as f64).ceil() as i64).saturating_mul(MIB as i64);
    i128::from((aligned as f64 * (1.0 + overhead)).ceil() as i64)
}

/// `GetFilesystemOverheadForStorageClass`: the entry of the class (of the default class where it is absent or does not
/// exist), else the global one.
fn overhead(class: Option<&str>, cluster: &Cluster<'_>) -> Result<f64, Failure> {
    if class == Some("") {
        return Ok(0.0);
    }
    let config = cluster.cdi_config()?.present();
    let Some(overheads) = config.as_ref().and_then(|config| config.filesystem_overhead.as_ref()) else {
        return Ok(0.0);
    };
    if !overheads.storage_class.is_empty() {
        let mut found = storage_class::with_kubernetes_default(class, cluster)?;
        if found.is_none() && class.is_some() {
            found = storage_class::with_kubernetes_default(None, cluster)?;
        }
        let entry =
            found.and_then(|class| overheads.storage_class.iter().find(|(name, _)| *name == class.meta.name).cloned());
        if let Some((_, fraction)) = entry {
            return Ok(percent(&fraction));
        }
    }
    Ok(overheads.global.as_deref().map_or(0.0, percent))
}

/// A fraction as CDI's schema takes it (`pkg/apis/core/v1beta1/types.go`, `Percent`: at most three places), as the float
/// that Go's `strconv.ParseFloat` makes of it. What is no such number is none, as in CDI.
///
/// The standard library's reading takes every float there is, and 19 kB for it. With up to 15 digits both are the same:
/// the digits and the power of ten are exact, so that the quotient is the nearest float.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_wrap, reason = "15 digits are exact")]
fn percent(text: &str) -> f64 {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let digits = [whole, places].concat();
    if digits.len() > 15 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0.0;
    }
    digits.parse::<u64>().map_or(0.0, |digits| digits as f64 / 10_f64.powi(places.len() as i32))
}

/// `request`, raised to the smallest claim that the StorageProfile allows (`GetEffectiveVolumeSize`). A minimum that is
/// no quantity does not count.
pub(super) fn at_least_minimum(request: Quantity, class: &str, cluster: &Cluster<'_>) -> Result<Quantity, Failure> {
    let profile = cluster.storage_profile(class)?.present();
    let minimum = profile.as_ref().and_then(|profile| profile.meta.annotation(keys::MINIMUM_SIZE));
    Ok(match minimum.and_then(|text| Quantity::parse(text).ok()) {
        Some(minimum) if request < minimum => minimum,
        Some(_) | None => request,
    })
}

/// The same for the class that a claim will get: the named one if it exists, else the default one
/// (`GetEffectiveStorageResources`).
pub(super) fn effective(
    request: Quantity,
    class: Option<&str>,
    virt: bool,
    cluster: &Cluster<'_>,
) -> Result<Quantity, Failure> {
    match storage_class::lookup(class, virt, cluster, None)?.class() {
        Some(class) => at_least_minimum(request, &class.meta.name, cluster),
        None => Ok(request),
    }
}

/// The target must be as large as the source, in whole bytes (`ValidateRequestedCloneSize`).
pub(super) fn compare(stage: Stage, source: Option<&Quantity>, target: Option<&Quantity>) -> Step<()> {
    let fault =
        |class| Fault { source_size: source.cloned(), target_size: target.cloned(), ..Fault::new(stage, class) };
    match (source, target) {
        (Some(source), Some(target)) if source.bytes() <= target.bytes() => Ok(()),
        (Some(_), Some(_)) => Err(fault(ErrorClass::TargetSmallerThanSource).into()),
        (None, _) | (_, None) => Err(fault(ErrorClass::SizeRequestMissing).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::whole_mebibytes_without_overhead(0.0, 10 * 1024 * MIB, 10 * 1024 * MIB)]
    #[case::rounded_up_to_a_mebibyte(0.0, 1, MIB)]
    #[case::ten_gibibytes_with_the_usual_overhead(0.06, 10 * 1024 * MIB, 11_381_663_335)]
    #[case::nothing(0.06, 0, 0)]
    fn the_space_that_an_image_needs(#[case] overhead: f64, #[case] bytes: i128, #[case] needed: i128) {
        assert_eq!(required_space(overhead, bytes), needed);
    }

    #[rstest]
    #[case("0", 0.0)]
    #[case("1", 1.0)]
    #[case("0.06", 0.06)]
    #[case("0.055", 0.055)]
    #[case("0.999", 0.999)]
    #[case("", 0.0)]
    #[case(".", 0.0)]
    #[case("six percent", 0.0)]
    fn a_percentage(#[case] text: &str, #[case] expected: f64) {
        assert_eq!(percent(text).to_bits(), expected.to_bits());
    }

    proptest::proptest! {
        #[test]
        fn a_percentage_is_the_float_that_is_nearest(digits in 0_u64..1_000_000, places in 0_usize..7) {
            let text = format!("{digits:07}");
            let (whole, fraction) = text.split_at(7 - places);
            let text = format!("{whole}.{fraction}");
            proptest::prop_assert_eq!(percent(&text).to_bits(), text.parse::<f64>().unwrap().to_bits());
        }
    }
}
