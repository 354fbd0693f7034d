//! Text that may begin or end in the middle of a surrogate pair.

/// Text as a streaming producer cuts it: well-formed, except that the first code unit may be an
/// unpaired low surrogate and the last one an unpaired high surrogate (requirement
/// `json.split-delta`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct SplitText {
    /// The low surrogate (`0xdc00..=0xdfff`) that completes a character begun before this text.
    leading: Option<u16>,
    body: String,
    /// The high surrogate (`0xd800..=0xdbff`) of a character that is completed after this text.
    trailing: Option<u16>,
}

/// Two texts met where one ended in an unpaired surrogate and the other did not complete it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an unpaired surrogate is not completed by the text that follows it")]
pub struct UnpairedSurrogate;

impl SplitText {
    /// No text at all.
    pub const EMPTY: Self = Self {
        leading: None,
        body: String::new(),
        trailing: None,
    };

    /// Text from its parts; a surrogate outside its range of code units is rejected.
    pub fn new(
        leading: Option<u16>,
        body: String,
        trailing: Option<u16>,
    ) -> Result<Self, UnpairedSurrogate> {
        let low = leading.is_none_or(is_low);
        let high = trailing.is_none_or(is_high);
        if low && high {
            Ok(Self {
                leading,
                body,
                trailing,
            })
        } else {
            Err(UnpairedSurrogate)
        }
    }

    /// Text from its parts, of which a reader knows that they are what they have to be.
    pub(super) fn of_surrogates(leading: Option<u16>, body: String, trailing: Option<u16>) -> Self {
        Self {
            leading,
            body,
            trailing,
        }
    }

    /// The memory of this text, empty.
    pub(super) fn into_memory(self) -> String {
        let mut body = self.body;
        body.clear();
        body
    }

    /// The text, if it is well-formed.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        (self.leading.is_none() && self.trailing.is_none()).then_some(self.body.as_str())
    }

    /// The text as a `String` if it is well-formed, else itself.
    pub fn into_string(self) -> Result<String, Self> {
        if self.as_str().is_some() {
            Ok(self.body)
        } else {
            Err(self)
        }
    }

    /// The unpaired low surrogate at the beginning.
    #[must_use]
    pub fn leading(&self) -> Option<u16> {
        self.leading
    }

    /// The text between the unpaired surrogates.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The unpaired high surrogate at the end.
    #[must_use]
    pub fn trailing(&self) -> Option<u16> {
        self.trailing
    }

    /// Whether there is no text at all, not even an unpaired surrogate.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.body.is_empty() && self.leading.is_none() && self.trailing.is_none()
    }

    /// Appends `next`; a high and a low surrogate that meet become one character.
    ///
    /// On error this text is unchanged: a surrogate that meets anything but its counterpart can
    /// never become text.
    pub fn push(&mut self, next: &Self) -> Result<(), UnpairedSurrogate> {
        if next.is_empty() {
            return Ok(());
        }
        match (self.trailing, next.leading) {
            (None, None) => {}
            (None, Some(low)) if self.is_empty() => self.leading = Some(low),
            (Some(high), Some(low)) => self.body.push(joined(high, low)),
            _ => return Err(UnpairedSurrogate),
        }
        self.body.push_str(&next.body);
        self.trailing = next.trailing;
        Ok(())
    }

    /// Appends `next`; a surrogate that meets anything but its counterpart becomes U+FFFD. The one
    /// at the end of `next` stays, for what follows.
    pub fn push_lossy(&mut self, next: &Self) {
        if self.push(next).is_err() {
            let unpaired = [self.trailing, next.leading].into_iter().flatten();
            self.body
                .extend(unpaired.map(|_| char::REPLACEMENT_CHARACTER));
            self.body.push_str(&next.body);
            self.trailing = next.trailing;
        }
    }
}

impl From<String> for SplitText {
    fn from(body: String) -> Self {
        Self {
            leading: None,
            body,
            trailing: None,
        }
    }
}

impl From<&str> for SplitText {
    fn from(body: &str) -> Self {
        Self::from(body.to_owned())
    }
}

/// Whether a code unit is a high surrogate, the first of a pair.
pub(super) fn is_high(unit: u16) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

/// Whether a code unit is a low surrogate, the second of a pair.
pub(super) fn is_low(unit: u16) -> bool {
    (0xdc00..0xe000).contains(&unit)
}

/// The character of a surrogate pair whose code units are in their ranges.
pub(super) fn joined(high: u16, low: u16) -> char {
    let code = 0x1_0000 + ((u32::from(high) - 0xd800) << 10) + (u32::from(low) - 0xdc00);
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}
