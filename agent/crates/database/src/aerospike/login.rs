//! Login with a user and password of Aerospike's Enterprise Edition. The password itself is never sent.
//!
//! Source: Aerospike's C client, `as_admin.c` and `as_password.c`.

use crate::aerospike::wire::write_admission;

/// Fixed bcrypt salt, the same in every Aerospike client.
const SALT: [u8; 16] = [244, 107, 11, 190, 207, 254, 141, 27, 6, 103, 216, 79, 109, 193, 216, 169];
const COST: u32 = 10;
const LOGIN: u8 = 20;
const USER: u8 = 0;
const CREDENTIAL: u8 = 3;
/// Result code of a server without users.
pub const WITHOUT_USERS: u8 = 52;

/// A user and the hash of the password.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    user: String,
    credential: String,
}

impl Login {
    /// Hashes the password, which takes about a tenth of a second.
    pub fn new(user: &str, password: &str) -> Result<Self, String> {
        let hashed = bcrypt::hash_with_salt(password, COST, SALT);
        let hashed = hashed.map_err(|error| format!("the password cannot be used: {error}"))?;
        Ok(Self { user: user.to_owned(), credential: hashed.format_for_version(bcrypt::Version::TwoA) })
    }

    pub fn write(&self, into: &mut Vec<u8>) {
        write_admission(LOGIN, &[(USER, self.user.as_bytes()), (CREDENTIAL, self.credential.as_bytes())], into);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_hashed_as_by_every_client() {
        // Calculated by the C library's crypt().
        for (password, credential) in [
            ("admin", "$2a$10$7EqJtq98hPqEX7fNZaFWoO1mVO/4MLpGzsqojz6E9Gef6iXDjXdDa"),
            ("pässword", "$2a$10$7EqJtq98hPqEX7fNZaFWoOCanw19YlNbS7nGbQlVAwoBvI/vSHOYy"),
        ] {
            let login = Login::new("bench", password).expect("usable");
            assert_eq!(login.credential, credential);
        }
        let mut request = Vec::new();
        let login = Login { user: "ab".into(), credential: "c".into() };
        login.write(&mut request);
        // Head of 8 bytes, 16 of the request, and two fields with their length.
        assert_eq!(request[..12], [2, 2, 0, 0, 0, 0, 0, 16 + 7 + 6, 0, 0, 20, 2]);
        assert_eq!(request[24..], *b"\0\0\0\x03\0ab\0\0\0\x02\x03c");
    }
}
