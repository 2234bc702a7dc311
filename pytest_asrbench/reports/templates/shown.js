"use strict";
// Stands before the script of every page.

// Controls and bidirectional overrides are shown, not obeyed.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const shown = (text) => String(text).replace(HIDDEN,
  (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"));

