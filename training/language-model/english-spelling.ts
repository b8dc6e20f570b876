/**
 * Words that are mostly capitalized in running text without being names, because they often begin
 * the short sentences of subtitles.
 */
const NO_NAMES = new Set(
  `what oh how where hey um ah whoa hmm yo ow shh yep aye although aw er whoo nope nah weli cheers jeez gimme goodnight
   heh ugh sarge hiya tha yup geez ouch oops gotcha wha lo un dammit aha tis yah umm ew whew argh attaboy hah golly hup
   psst merci bonjour whoops gracias wah duh ahoy whereas supposing overruled pow toots oy goddammit doggone asap corpsman
   voila hola airlines springs motors elders rivers no mama major president lord angel chief brown north south east west
   ms pa dragon reverend highness excellency almighty comrade pastor lordship chancellor messiah padre signora apostle
   senate treasury marine ranger junior o ma sir madam captain general colonel prince king queen doctor frost beaver
   subtitles chiefs knights dragons giants eagles sparks hawks rangers barbed uh huh mm mmm ha ooh wow yeah yes hello hi
   holy buck crane bond coke hunter cooper porter valentine walker mason foster clay buffalo hart turner grey reed creek
   skinner stern echo gypsy archer cola sol frost flint domino fowler ark wheeler min chad pope ping nan decker orient
   axis titan whistler nightingale monopoly carver mercer boulder lotus stein viola trinity berry brownie marsh mace
   eve si mo fang cox watt amazon scotch negro browning shorty goldie blackie sh ph inc min mal cam pop
   let alright okay ok miss jock tiki indeed bubba amen yay congrats id dat spam co del des oui qui yikes phew bah naw
   nevermind ja ich mein che una bon ca da il le lo als ole mis als wat isis productions revelations enterprises`.split(
    /\s+/,
  ),
);

/** Names that are also words (tom, bob) and mostly mean the name in running text. */
const NAMES = new Set(
  `bill mike tom ben ray bob harry jimmy max bobby billy nick rose anna matt brad cole carol lily kitty sally rick hank
   robin sandy donna chuck earl josh kirk pat victor jean molly harper meg ken beth teddy gene wally murphy griffin sherry
   bonnie daisy rusty hawk spike ruby veronica randy heather lance coop columbo amber dale woody fisher belle violet milo
   deb dodge glen mack toby dexter sawyer dolly butch dickie beau lv monte jasmine erica nova jesse jack frank john ally
   potter benny daphne terry jenny phoebe martin henry mark lee smith grace dean grant sue marshall pierce maria charlotte
   ruth jersey english french german american chinese british indian italian spanish japanese russian london paris china
   jade colin christian berlin troy warren jay wade miller carter piper fox western god christ bible easter thanksgiving
   christmas catholic soviet nazi congress pentagon timothy benedict homer hector collins benjamin perry bailey burke
   turkey santa vegas nelson phoenix franklin graham ford hardy wright dixie geneva mercury oxford aurora`.split(/\s+/),
);

/** Acronyms, which are written in capitals. */
const ACRONYMS = new Set(
  'tv usa pc cd dc eu gps fbi nasa nato atm hp pr ufo csi vp iq abc bbc cnn cia dna dvd nyc uk'.split(' '),
);
const TITLES = new Map([
  ['i', 'I'],
  ['mr', 'Mr'],
  ['mrs', 'Mrs'],
  ['dr', 'Dr'],
  ['ok', 'ok'],
]);
const PRONOUN = /^i(?='(?:m|d|ll|ve)$)/;
const POSSESSIVE = /^(.+)('s|s')$/;

/**
 * Spelling of an English word in running text: lower case except for I, names and their derived
 * forms.
 */
export type EnglishSpelling = (word: string) => string;

export interface SpellingSources {
  /** Lower-case forms of words that running text mostly capitalizes. */
  capitalized: ReadonlySet<string>;
  /** Lower-case forms of words that a dictionary capitalizes, and words that it does not. */
  dictionaryNames: ReadonlySet<string>;
  dictionaryWords: ReadonlySet<string>;
}

/**
 * A word is a name if running text mostly capitalizes it and the dictionary has no common word of
 * that spelling.
 */
export function englishSpelling({ capitalized, dictionaryNames, dictionaryWords }: SpellingSources): EnglishSpelling {
  const isName = (word: string): boolean => {
    if (NAMES.has(word)) return true;
    if (NO_NAMES.has(word) || !capitalized.has(word)) return false;
    return dictionaryNames.has(word) || !dictionaryWords.has(word);
  };
  return (raw) => {
    const word = raw.toLowerCase();
    const fixed = TITLES.get(word);
    if (fixed !== undefined) return fixed;
    if (ACRONYMS.has(word)) return word.toUpperCase();
    if (PRONOUN.test(word)) return word.replace(PRONOUN, 'I');
    const stem = POSSESSIVE.exec(word)?.[1] ?? word;
    return isName(stem) || isName(word) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
  };
}
