//! Contents of a YCSB record, from its property file.
//!
//! Source: YCSB, `CoreWorkload` and `HistogramGenerator`.

use crate::error::PlanError;
use crate::job::Shape;
use crate::properties::Properties;
use crate::size::{LARGEST_BYTES, Size, Varied};

const LENGTH_DISTRIBUTION_KEY: &str = "fieldlengthdistribution";
const FILE: &str = "fieldlengthhistogram";
/// Largest number of fields; databases do not support more columns.
const MOST_FIELDS: u32 = 1_000;

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the property file")]
pub(crate) struct Record {
    fields: u32,
    /// Size of a field; `None` if a file lists the lengths, which is not read.
    field_bytes: Option<Size>,
    prefix: String,
    read_all: bool,
    write_all: bool,
    by_name: bool,
    integrity: bool,
}

impl Record {
    pub fn of(properties: &Properties) -> Result<Self, PlanError> {
        let fields: u32 = properties.number("fieldcount", 10)?;
        let sentence = format!("is {fields}; it must lie between 1 and {MOST_FIELDS}");
        properties.require((1..=MOST_FIELDS).contains(&fields), "fieldcount", sentence)?;
        let (least, most): (u32, u32) =
            (properties.number("minfieldlength", 1)?, properties.number("fieldlength", 100)?);
        let sentence = format!("is {most} B, and minfieldlength {least} B; fields have 1 B to 64 MiB, in this order");
        properties.require(0 < least && least <= most && most <= LARGEST_BYTES, "fieldlength", sentence)?;
        let distribution = properties.text(LENGTH_DISTRIBUTION_KEY).unwrap_or("constant");
        let field_bytes = match distribution {
            "constant" => Some(Size::Constant(most)),
            "uniform" => Some(Size::Varied(Varied::Uniform { least, most })),
            "zipfian" => Some(Size::Varied(Varied::Zipfian { least, most })),
            "histogram" => None,
            other => {
                let sentence = format!("{other} is not supported; use constant, uniform, zipfian or histogram");
                return Err(properties.refuse(LENGTH_DISTRIBUTION_KEY, sentence));
            }
        };
        let integrity = properties.flag("dataintegrity", false);
        let sentence = "needs fields of one length; leave fieldlengthdistribution out";
        properties.require(!integrity || distribution == "constant", "dataintegrity", sentence)?;
        Ok(Self {
            fields,
            field_bytes,
            prefix: properties.text("fieldnameprefix").unwrap_or("field").to_owned(),
            read_all: properties.flag("readallfields", true),
            write_all: properties.flag("writeallfields", false),
            by_name: properties.flag("readallfieldsbyname", false),
            integrity,
        })
    }

    /// Returns the mean number of bytes of all fields, or `None` if a file lists the lengths.
    pub fn mean_bytes(&self) -> Option<f64> {
        self.field_bytes.as_ref().map(|size| f64::from(self.fields) * size.mean())
    }

    /// Returns the shape for drivers. `indexed` states that there are scans.
    pub fn shape(&self, indexed: bool) -> Result<Shape, PlanError> {
        let no_file = || {
            let sentence =
                "names lengths in a file, which plans do not read; use fieldlengthdistribution=uniform or zipfian";
            PlanError::field(FILE, sentence)
        };
        Ok(Shape::Record {
            fields: self.fields,
            field_bytes: self.field_bytes.clone().ok_or_else(no_file)?,
            prefix: self.prefix.clone(),
            read_all: self.read_all,
            write_all: self.write_all,
            by_name: self.by_name,
            integrity: self.integrity,
            indexed,
        })
    }
}
