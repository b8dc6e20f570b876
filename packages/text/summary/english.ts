import { scores, type Lexicon } from './lexicon.ts';

const STOP_WORDS = new Set(
  "a about above unless who'd wherever whoever that'd how's actually after again ago all almost already also although always am among an and another any anybody anyone anything anyway are aren't around as at away back basically be became because become been before being below best better between big bit both but by called came can can't cannot come comes coming could couldn't course day days did didn't different do does doesn't doing don't done down each either else end enough er even ever every everybody everyone everything exactly far few find fine first for found from fun gave get gets getting give given go goes going gone gonna good got gotta great guess guy guys had hadn't hand happen happened hard has hasn't have haven't having he he'd he'll he's hello help her here here's hers herself hey hi him himself his honestly hour hours how however huge i i'd i'll i'm i've idea if in instead into is isn't it it'd it'll it's its itself just keep kept kind kinda knew know known last late later least left less let let's like liked literally little long look looked looking looks lot lots love made make makes making man many may maybe me mean means might minute minutes mm month months more most mostly much must my myself name near nearly need never new next nice night no nobody none not nothing now number of off often oh ok okay old on once one ones only onto or other others our ours ourselves out over own part pause people perhaps person place pretty probably put quite rather ready real really reason right round said same saw say saying says second see seem seemed seems seen set several shall she she'd she'll she's should shouldn't show simply since so some somebody someone something sometimes somewhere soon sort stay still story stuff such suppose sure sweet take taken takes talk talked talking tell tells than thank thanks that that'd that'll that's the their theirs them themselves then there there'd there's these they they'd they'll they're they've thing things think this those though thought three through time times to today together told tomorrow tonight too took total totally tried true try trying turn two uh um under until up upon us use used using usually very video wait wanna want wanted wants was wasn't watch way we we'd we'll we're we've week weeks well went were weren't what what's whatever when where whether which while who who's whole whom whose why will with within without won't word words work worked works would wouldn't wow yeah year years yep yes yesterday yet you you'd you'll you're you've your yours yourself".split(
    ' ',
  ),
);

const OPENERS = scores({
  'okay ok anyway alright': 2.4,
  "so but now well let's next finally also however": 1.7,
  'and then because if when right oh yeah first second third another plus': 1.1,
  "i i'm i've i'd we we're we've you he she they they're it it's that's there's there these this": 0.8,
  "what how why who my our your in for to the a one don't people most some as": 0.2,
  "of than is are was were be been has had have's me him them us": -2.5,
});
const CLOSERS = scores({
  'right though anyway too yet it them me him now yeah that then again': 0.5,
  "the a an of to in on at for with from by into about my your our their his its is are was were be been am i'm it's that's you're we're they're i he she we they and or but so if because when than as very really just not don't can could would should will has have had which who this these those every no some any one two":
    -3,
});

/** Light suffix stripping (after Harman, 1991, with -ing, -ed and -ly). */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 5 && /(?:ing|ed|ly|er)$/.test(word)) return singleConsonant(word.replace(/(?:ing|ed|ly|er)$/, ''));
  if (word.length > 4 && /(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  const singular = word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word;
  return singular.length > 4 && singular.endsWith('e') ? singular.slice(0, -1) : singular;
}

function singleConsonant(word: string): string {
  return /([bdgklmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

export const ENGLISH: Lexicon = {
  spaced: true,
  separator: ' ',
  fullStop: '.',
  comma: ',',
  sentenceLength: { typical: 14, max: 40 },
  boundaries: { model: 'english', reading: 'word classes' },
  opens: (word) => OPENERS.get(word) ?? 0,
  closes: (word) => CLOSERS.get(word) ?? 0,
  units: (sentence) =>
    (sentence.match(/[\p{L}\d]+(?:['’][\p{L}]+)?/gu) ?? [])
      .map((word) => word.replace('’', "'"))
      .filter((word) => !STOP_WORDS.has(word) && !/^.$/u.test(word))
      .map((word) => stem(word.replace(/'s$/, ''))),
  courtesy:
    /\bsubscri|\bthumbs up\b|\blike button\b|\bhit (?:the )?(?:like|bell)|\bwelcome (?:back|to)\b|\b(?:hey|hi|hello) (?:everyone|everybody|guys|there)|\bsee you (?:next|in the)|\bthanks? (?:you )?(?:so much )?(?:for|to) |\bin the comments\b|\bleave (?:me |us )?a comment|\bnext (?:week|time|video|episode)\b|\bgood morning\b|\bwhat's up\b|\btake care\b|\bbye\b/,
  substance:
    /\b(?:should|must|need(?:s|ed)?|have to|has to|never|always|because|since|so that|instead|rather than|important|reason|answer|means|means that|roughly|about|at least|unless|if you|if your|only|best|most|percent|cause[sd]?|require[sd]?|each|every|(?<!\b(?:if|so|do|are|thank) )you(?! know\b)|your|you'll|you'd)\b/g,
  anecdote:
    /\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|he|he's|she|she's|his|her|him|we|we'd|our|said|told|asked|once|somebody|yesterday|last (?:night|week|year))\b/g,
  aside:
    /\b(?:kidding|by the way|anyway|okay|alright|sorry|funny|laugh\w*|camera|guess what|you know what|honestly|oh|wow|hang on|moving on|right)\b|!/g,
  number:
    /\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|quarter|percent|twice|dozen)\b/g,
  question:
    /\?\s*$|^(?:what|why|how|who|where|when|do|does|did|isn't|is|are|can|could|would) (?:you|it|that|is|do|does|are|i|the|about|else)\b/,
  dangling:
    /^(?:because|and|but|so|or|it|it's|that|that's|this|these|those|he|he's|she|she's|they|they're|there|there's|then|which|if not|otherwise)\b/,
};
