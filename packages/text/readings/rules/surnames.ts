/** Surnames that are no everyday words, the most frequent ones first. */
export const SURNAMES = '陳李張黃何吳劉楊蔡鄭鄧許梁謝郭馮曾葉蘇麥朱胡羅潘廖趙余盧鍾徐姚';
export const LESS_FREQUENT_SURNAMES = '袁關湯溫唐';
export const RARE_SURNAMES = '莫游伍譚彭呂鄺岑霍龐';
/** Surnames after which a title may belong to a word. */
export const SURNAMES_ALSO_WORDS = '王林周任單方馬';
