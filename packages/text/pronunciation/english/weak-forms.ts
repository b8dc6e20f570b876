/**
 * Additions to the dictionary: weak forms of function words in connected speech, and names of
 * letters. ARPAbet phones with stress; the commonest in a sentence first.
 */
const FORMS = `
a: AH0, EY1
an: AH0 N, AE1 N
the: DH AH0, DH IY0, DH IY1, DH AH1
to: T AH0, T UW1, T IH0, T UH0
and: AH0 N D, AE1 N D, AH0 N, EH1 N D, AE1 N
of: AH1 V, AH0 V, AH0, AA1 V
for: F AO1 R, F ER0
from: F R AH1 M, F R AH0 M, F R AA1 M
at: AE1 T, AH0 T
as: AE1 Z, AH0 Z
was: W AH1 Z, W AA1 Z, W AH0 Z
were: W ER1, W ER0
are: AA1 R, ER0
am: AE1 M, AH0 M
have: HH AE1 V, HH AH0 V, AH0 V
has: HH AE1 Z, HH AH0 Z, AH0 Z
had: HH AE1 D, HH AH0 D, AH0 D
can: K AE1 N, K AH0 N
can't: K AE1 N T, K AA1 N T
but: B AH1 T, B AH0 T
than: DH AE1 N, DH AH0 N
that: DH AE1 T, DH AH0 T
them: DH EH1 M, DH AH0 M, AH0 M
his: HH IH1 Z, IH0 Z
him: HH IH1 M, IH0 M
her: HH ER1, ER0
he: HH IY1, IY0
some: S AH1 M, S AH0 M
must: M AH1 S T, M AH0 S T, M AH0 S
do: D UW1, D AH0
does: D AH1 Z, D AH0 Z
or: AO1 R, ER0
you: Y UW1, Y AH0
your: Y AO1 R, Y UH1 R, Y ER0
us: AH1 S, AH0 S
will: W IH1 L, W AH0 L, AH0 L
would: W UH1 D, W AH0 D, AH0 D
should: SH UH1 D, SH AH0 D
could: K UH1 D, K AH0 D
been: B IH1 N, B IY1 N, B AH0 N
just: JH AH1 S T, JH IH0 S T, JH AH0 S
because: B IH0 K AO1 Z, B IH0 K AH1 Z, B IH0 K AA1 Z, K AH0 Z
our: AW1 ER0, AW1 R, AA1 R
again: AH0 G EH1 N, AH0 G EY1 N
says: S EH1 Z
z: Z IY1, Z EH1 D
h: EY1 CH, HH EY1 CH
poor: P UH1 R, P AO1 R
sure: SH UH1 R, SH AO1 R, SH ER1
tour: T UH1 R, T AO1 R
nguyen: W IH1 N, N UW1 Y EH1 N, N G UW1 Y EH1 N
naive: N AY0 IY1 V, N AA0 IY1 V
zebra: Z IY1 B R AH0, Z EH1 B R AH0
privacy: P R AY1 V AH0 S IY0, P R IH1 V AH0 S IY0
vitamin: V AY1 T AH0 M AH0 N, V IH1 T AH0 M AH0 N
vitamins: V AY1 T AH0 M AH0 N Z, V IH1 T AH0 M AH0 N Z
schedule: S K EH1 JH UH0 L, S K EH1 JH UW0 L, SH EH1 D Y UW0 L
leisure: L IY1 ZH ER0, L EH1 ZH ER0
lieutenant: L UW0 T EH1 N AH0 N T, L EH0 F T EH1 N AH0 N T
clerk: K L ER1 K, K L AA1 K
advertisement: AE2 D V ER0 T AY1 Z M AH0 N T, AH0 D V ER1 T IH0 S M AH0 N T
mobile: M OW1 B AH0 L, M OW1 B IY0 L, M OW1 B AY2 L
fragile: F R AE1 JH AH0 L, F R AE1 JH AY2 L
garage: G ER0 AA1 ZH, G AE1 R AA2 ZH, G AE1 R IH0 JH
ate: EY1 T, EH1 T
herb: ER1 B, HH ER1 B
herbs: ER1 B Z, HH ER1 B Z
route: R UW1 T, R AW1 T
aluminium: AE2 L AH0 M IH1 N IY0 AH0 M, AE2 L Y UH0 M IH1 N IY0 AH0 M
covid: K OW1 V IH0 D
selfie: S EH1 L F IY0
emoji: IH0 M OW1 JH IY0
app: AE1 P
apps: AE1 P S
blog: B L AA1 G, B L AO1 G
vlog: V L AA1 G, V L AO1 G
okay: OW2 K EY1
ok: OW2 K EY1
hmm: HH AH1 M
mm: AH1 M
shh: SH
`;

export const LISTED_FORMS: ReadonlyMap<string, readonly string[][]> = new Map(
  FORMS.trim()
    .split('\n')
    .map((line): [string, string[][]] => {
      const [word = '', forms = ''] = line.split(': ');
      return [word, forms.split(', ').map((form) => form.split(' '))];
    }),
);

/**
 * Words with the vowel of father in British English (Wells, Accents of English, 1982: the set
 * BATH), and their derivatives.
 */
export const BATH_WORDS =
  /^(?:after|ask|bath|path|glass|grass|class|pass|brass|mast|last|past|fast|cast|vast|blast|master|plaster|disaster|castle|answer|can't|shan't|dance|chance|france|branch|plant|grant|chant|slant|advance|advantage|example|sample|demand|command|laugh|half|halves|calf|calves|staff|craft|draft|draught|raft|shaft|task|mask|basket|basketball|gasp|grasp|rather|aunt|photograph|telegraph|autograph|paragraph|graph|banana|tomato|giraffe|nasty|rasp|flask|casket|trance|glance|france|enhance|aghast|contrast|podcast|broadcast|forecast|classroom|classmate|passport|password|grandmaster|headmaster|pastime|pasture|bathroom|pathway)(?:s|es|ed|ing|er|ers|ly|y|'s)?$/;
