import { isPersonBefore, isVerbPlace, type WordContext } from './word-context.ts';

/** Returns the phones of one of the readings of a word. */
type Rule = (context: WordContext) => string;

const BE = /^(?:is|are|was|were|be|been|being|am|i'm|we're|they're|he's|she's|it's|you're)$/;
const HAVE = /^(?:have|has|had|having|i've|we've|you've|they've|haven't|hasn't|hadn't)$/;
const ADVERB = /^(?:already|just|never|ever|also|not|once|recently|all|both|only|you|i|we|they|he|she)$/;
const PAST = /^(?:yesterday|ago|last|earlier|already|once|previously)$/;
/** Number of words around a verb that are searched for one that indicates its tense. */
const CLAUSE_WORDS = 15;
const OBJECT = /^(?:the|a|an|this|that|these|those|my|your|his|her|its|our|their|it|them|him|us|me|all|every)$/;
const DO =
  /^(?:did|didn't|does|do|don't|doesn't|to|will|would|can|could|shall|should|may|might|must|please|let's|won't|can't|cannot|couldn't|i'll|we'll|you'll|they'll|he'll|she'll)$/;

function isPastRead({ all, at, before, beforeThat }: WordContext): boolean {
  if (DO.test(before)) return false;
  if (HAVE.test(before) || BE.test(before) || before === 'well' || before === 'got') return true;
  if (ADVERB.test(before) && (HAVE.test(beforeThat) || BE.test(beforeThat))) return true;
  if (ADVERB.test(before) && DO.test(beforeThat)) return false;
  if (/^(?:he|she|it)$/.test(before)) return true;
  return all.slice(Math.max(0, at - CLAUSE_WORDS), at + CLAUSE_WORDS).some((word) => PAST.test(word));
}

function isLiveAdjective(context: WordContext): boolean {
  const { before, next } = context;
  const things =
    /^(?:shows?|music|concerts?|broadcasts?|streams?|streaming|streamed|events?|bands?|performances?|audience|tv|television|games?|match|matches|updates?|reports?|coverage|wires?|ammunition|chat|videos?|demo|sessions?|bait|theatre|theater|recordings?|albums?|feed|data|version|site|now)$/;
  if (things.test(next) && !isPersonBefore(context)) return true;
  if (
    /^(?:go|goes|went|going|gone|broadcast|streamed|aired|perform|performs|performing|performed|record|recording|play|plays|playing|sing|sings|sang|singing|stream|streams|streaming|air|airs|shown|played|sung|watch|recorded|a|the|this|our|its|very)$/.test(
      before,
    )
  )
    return true;
  return BE.test(before);
}

function isVerbClose(context: WordContext): boolean {
  const { before, next } = context;
  if (
    /^(?:to|by|enough|friends?|relatives?|relationship|call|range|up|look|attention|together|contact)$/.test(next) &&
    !DO.test(before)
  )
    return false;
  if (
    /^(?:very|so|too|quite|really|how|as|a|get|got|getting|stay|stayed|come|came|coming|pretty|that|more|sit|stand|hold)$/.test(
      before,
    )
  )
    return false;
  if (BE.test(before)) return false;
  if (before === 'the') return next === 'of';
  return true;
}

const BY_WORD: Readonly<Record<string, Rule>> = {
  read: (context) => (isPastRead(context) ? 'R EH1 D' : 'R IY1 D'),
  lead: ({ before, next, nextButOne, all, at }) => {
    // Lead is found in things: lead in the pipes.
    const isFound =
      /^(?:noticed|found|detected|contains?|containing|contained|traces|amounts?|levels?|excess|excessive|remove|removed|exposure|poisoned)$/.test(
        before === 'of' ? (all[at - 2] ?? '') : before,
      ) &&
      /^(?:in|from)$/.test(next) &&
      /^(?:the|our|your|their|its|drinking|tap|water|paint|old|toys|blood|soil|pipes|food|children's|petrol)$/.test(
        nextButOne,
      );
    const isMetal =
      isFound ||
      /^(?:pipes?|paints?|poisoning|acid|weights?|pencils?|bullets?|free|balloon|shot|levels?|glass|crystal|ore|mines?|battery|batteries)$/.test(
        next,
      ) ||
      /^(?:molten|of|contains?|containing|heavy)$/.test(before);
    return isMetal ? 'L EH1 D' : 'L IY1 D';
  },
  'lead-free': () => 'L EH1 D F R IY1',
  live: (context) => (isLiveAdjective(context) ? 'L AY1 V' : 'L IH1 V'),
  lives: ({ before }) =>
    /^(?:my|your|his|our|their|the|many|of|save|saves|saved|saving|lost|lose|human|two|three|four|nine|other|people's|these|those|own|daily|some|cost|in|for|and|all|peoples|private|past|young)$/.test(
      before,
    )
      ? 'L AY1 V Z'
      : 'L IH1 V Z',
  wind: ({ before, next, word, all, at }) => {
    const isFirst = at === 0 && all[0] === word && /^(?:the|it|up|down|your|this|that|back)$/.test(next);
    const isTold =
      (/^(?:so|then|now|just|carefully|slowly|first|always|never)$/.test(before) &&
        /^(?:the|it|your|this|that|a|another|some|back|them|each)$/.test(next)) ||
      (before === 'and' && /^(?:it|your|them|back|a)$/.test(next));
    const isVerb =
      isFirst ||
      isTold ||
      (DO.test(before) && before !== 'please') ||
      (/^(?:i|we|you|they)$/.test(before) && next !== '');
    return isVerb || (/^(?:up|down)$/.test(next) && !/^(?:the|a|strong)$/.test(before)) ? 'W AY1 N D' : 'W IH1 N D';
  },
  winds: ({ next }) => (/^(?:through|around|along|up|down|its|round)$/.test(next) ? 'W AY1 N D Z' : 'W IH1 N D Z'),
  tear: (context) => {
    const { before, next } = context;
    if (/^(?:gas|drops?|ducts?|stained)$/.test(next)) return 'T IH1 R';
    if (/^(?:up|down|apart|off|out|open|along|through|into)$/.test(next) || OBJECT.test(next)) return 'T EH1 R';
    const isOfEye = context.all.some((word) => /^(?:eyes?|cheeks?|cry|cried|crying|wept)$/.test(word));
    if (isVerbPlace(context) || (/^(?:a|the|small)$/.test(before) && next === 'in' && !isOfEye)) return 'T EH1 R';
    return /^(?:and)$/.test(next) || before === 'muscle' || before === 'ligament' ? 'T EH1 R' : 'T IH1 R';
  },
  tears: ({ before, next }) =>
    /^(?:he|she|it)$/.test(before) || /^(?:up|down|apart|off)$/.test(next) ? 'T EH1 R Z' : 'T IH1 R Z',
  close: (context) => (isVerbClose(context) ? 'K L OW1 Z' : 'K L OW1 S'),
  used: ({ before, next, nextButOne }) => {
    if (next !== 'to') return 'Y UW1 Z D';
    // It is used to make tea; I am used to it.
    const isMeans =
      /^(?:is|are|was|were|be|been|being)$/.test(before) && !(OBJECT.test(nextButOne) || nextButOne.endsWith('ing'));
    return isMeans ? 'Y UW1 Z D' : 'Y UW1 S T';
  },
  minute: ({ before, next }) =>
    /^(?:details?|amounts?|quantity|quantities|particles?|differences?|fractions?|traces?|changes?|scale|size)$/.test(
      next,
    ) && !/^(?:one|per|last)$/.test(before)
      ? 'M AY0 N Y UW1 T'
      : 'M IH1 N AH0 T',
  bow: (context) => {
    const { beforeThat, next } = context;
    if (/^(?:tie|ties|and|legs?|window)$/.test(next)) return 'B OW1';
    if (/^(?:take|takes|took|taking|make|made)$/.test(beforeThat) || /^(?:to|down|before|out|your|our)$/.test(next))
      return 'B AW1';
    return isVerbPlace(context) ? 'B AW1' : 'B OW1';
  },
  row: ({ before, next }) =>
    /^(?:a|the|this)$/.test(before) && /^(?:with|over|about|between|erupted|broke)$/.test(next) ? 'R AW1' : 'R OW1',
  upset: ({ before, next }) =>
    /^(?:an|the|major|big|biggest|stomach)$/.test(before) && !/^(?:stomach|about|by|that)$/.test(next)
      ? 'AH1 P S EH0 T'
      : 'AH0 P S EH1 T',
  deserts: ({ before }) =>
    before === 'just' || /^(?:he|she|it|who)$/.test(before) ? 'D IH0 Z ER1 T S' : 'D EH1 Z ER0 T S',
  dove: ({ before, next }) =>
    (/^(?:into|under|headfirst)$/.test(next) && !/^(?:a|the|white)$/.test(before)) ||
    (/^(?:i|he|she|we|they|it|and|who)$/.test(before) && /^(?:in|down|off|deep|for)$/.test(next))
      ? 'D OW1 V'
      : 'D AH1 V',
  polish: ({ written, at, next }) => {
    const isPlace = written.startsWith('P') && (at > 0 || !OBJECT.test(next));
    return isPlace ? 'P OW1 L IH0 SH' : 'P AA1 L IH0 SH';
  },
  content: ({ before, next }) => {
    const isPleased =
      BE.test(before) ||
      /^(?:feel|feels|felt|seem|seems|seemed|quite|perfectly|not|look|looks|looked|remain|sounds?)$/.test(before);
    return isPleased && !/^(?:creator|creators|provider|of|for|marketing)$/.test(next)
      ? 'K AH0 N T EH1 N T'
      : 'K AA1 N T EH0 N T';
  },
  bass: ({ before, beforeThat, next, all }) =>
    /^(?:fish|fishing)$/.test(next) ||
    /^(?:sea|striped|caught|largemouth|grilled)$/.test(before) ||
    /^(?:caught|catch|cook|cooked|ate|eat|fried|steamed)$/.test(beforeThat) ||
    all.some((word) => /^(?:lake|river|fishing|fisherman|angler|fillets?)$/.test(word))
      ? 'B AE1 S'
      : 'B EY1 S',
  wound: ({ before, next }) =>
    (OBJECT.test(next) &&
      before !== '' &&
      !/^(?:a|an|the|his|her|my|your|their|this|that|each|every|to|or|will|can|gunshot|stab|head|open|flesh|old|bullet)$/.test(
        before,
      )) ||
    (/^(?:up|down|around|round|back|through|tightly)$/.test(next) && !/^(?:the|a)$/.test(before))
      ? 'W AW1 N D'
      : 'W UW1 N D',
  refuse: (context) => {
    const { before, next } = context;
    const isWaste = /^(?:collection|collectors?|bins?|rooms?|trucks?|stations?|chutes?|bags?)$/.test(next);
    return isWaste || /^(?:the|of|domestic|household|this|more|much|no|some|our|their|all)$/.test(before)
      ? 'R EH1 F Y UW2 S'
      : 'R IH0 F Y UW1 Z';
  },
  resume: (context) =>
    /^(?:a|my|your|his|her|their|the|this|our|updated)$/.test(context.before) && !isVerbPlace(context)
      ? 'R EH1 Z AH0 M EY2'
      : 'R IH0 Z UW1 M',
  sow: ({ before }) => (/^(?:a|the|fat|old)$/.test(before) ? 'S AW1' : 'S OW1'),
  invalid: ({ before, next }) =>
    /^(?:an|the)$/.test(before) && (next === '' || /^(?:who|for|and|in)$/.test(next))
      ? 'IH1 N V AH0 L IH0 D'
      : 'IH0 N V AE1 L IH0 D',
};

export const SPECIAL_RULES: ReadonlyMap<string, Rule> = new Map(Object.entries(BY_WORD));
