/** Surnames that are no everyday words, the most frequent ones first. */
export const SURNAMES = '陳李張黃何吳劉楊蔡鄭鄧許梁謝郭馮曾葉蘇麥朱胡羅潘廖趙余盧鍾徐姚';
export const LESS_FREQUENT_SURNAMES = '袁關湯溫唐';
export const RARE_SURNAMES = '莫游伍譚彭呂鄺岑霍龐';
/** Surnames after which a title may belong to a word. */
export const SURNAMES_ALSO_WORDS = '王林周任單方馬';
/** Words that follow the name of a person, so that 太 before them ends a name. */
export const TOLD_OF_PERSON =
  '[話係喺同嚟]|早晨|你好|請|多謝|恭喜|聽日|今日|尋日|琴日|今晚|尋晚|問|想|要|打|住|買|叫|煮|帶|曾經|已經|一家|屋企|嘅(?:先生|仔|女|屋企|電話)';
