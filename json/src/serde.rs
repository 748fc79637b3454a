//! Reading a [`Json`] out of any format that serde knows, such as YAML: for tools. The module does without.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::{Json, Keep};

/// An object key that is borrowed where the text allows it.
struct Key<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct JsonVisitor;
        impl<'de> Visitor<'de> for JsonVisitor {
            type Value = Json<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }
            fn visit_unit<E>(self) -> Result<Json<'de>, E> {
                Ok(Json::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
                Ok(Json::Bool(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
                Ok(Json::Integer(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
                Ok(i64::try_from(value).map_or_else(|_| Json::Decimal(value.to_string().into()), Json::Integer))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
                Ok(Json::Decimal(value.to_string().into()))
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
                Ok(Json::String(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
                Ok(Json::String(Cow::Owned(text.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json<'de>, A::Error> {
                let mut result = Vec::new();
                while let Some(item) = items.next_element()? {
                    result.push(item);
                }
                Ok(Json::Array(result))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json<'de>, A::Error> {
                let mut result = Vec::new();
                while let Some(Key(key)) = entries.next_key()? {
                    match Keep::Everything.below(&key) {
                        Some(_) => result.push((key, entries.next_value()?)),
                        None => drop(entries.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(Json::Object(result))
            }
        }
        deserializer.deserialize_any(JsonVisitor)
    }
}
