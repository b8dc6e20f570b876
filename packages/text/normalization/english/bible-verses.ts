/** Books of the Bible, by their names and usual short forms. */
const BOOK =
  '(?:Genesis|Gen\\.?|Exodus|Leviticus|Numbers|Deuteronomy|Joshua|Judges|Ruth|Samuel|Kings|Chronicles|Ezra|Nehemiah|Esther|Job|Psalms?|Proverbs|Ecclesiastes|Song of (?:Songs|Solomon)|Isaiah|Jeremiah|Lamentations|Ezekiel|Daniel|Hosea|Joel|Amos|Obadiah|Jonah|Micah|Nahum|Habakkuk|Zephaniah|Haggai|Zechariah|Malachi|Matthew|Matt\\.?|Mark|Luke|John|Acts|Romans|Corinthians|Cor\\.?|Galatians|Ephesians|Philippians|Colossians|Thessalonians|Timothy|Titus|Philemon|Hebrews|James|Peter|Jude|Revelation)';
/** Further verses may stand between: John 3:16, 18 and 4:1. */
const MORE = '(?:\\d{1,3}:\\d{1,3}(?: ?[-–—] ?\\d{1,3})?(?:[,;] ?| and ))';
const BOOK_BEFORE = new RegExp(`(?<!\\p{L})${BOOK} ${MORE}{0,3}$`, 'u');
const VERSE = /^(\d{1,3}):([1-9]\d{0,2})$/;
const FIRST_OF_SPAN = new RegExp(`(?<!\\p{L})${BOOK} ${MORE}{0,3}\\d{1,3}:[1-9]\\d{0,2} ?$`, 'u');
const NUMBERED_BOOK = /^ (?:Samuel|Kings|Chronicles|Corinthians|Thessalonians|Timothy|Peter|John) \d/;

/** The chapter and the verse of 3:16 behind the name of a book of the Bible; null elsewhere. */
export function chapterAndVerse(text: string, before: string): [chapter: string, verse: string] | null {
  const [, chapter, verse] = VERSE.exec(text) ?? [];
  return chapter === undefined || verse === undefined || !BOOK_BEFORE.test(before) ? null : [chapter, verse];
}

/** Whether a dash stands between two verses of a chapter: John 3:16-18. */
export function isBetweenVerses(before: string, after: string): boolean {
  return /^ ?\d/.test(after) && before.includes(':') && FIRST_OF_SPAN.test(before);
}

/** Whether a number tells which of several books of a name follows: 1 Corinthians 13. */
export function isNumberOfBook(digits: string, after: string): boolean {
  return /^[1-3]$/.test(digits) && NUMBERED_BOOK.test(after);
}
