/**
 * Phones of General American in ARPAbet without stress, `AX` being the reduced vowel that CMUdict
 * writes `AH0`. The order is that of the acoustic model's training labels.
 */
export const ARPABET_PHONES: readonly string[] =
  'AA AE AH AO AW AX AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(' ');
