/**
 * Names in Hong Kong English, and brands that letter-to-sound rules get wrong: words in lower case,
 * then the ARPAbet phones of each, with `,` between words. All words of a row must occur: Po, Long
 * and Hung alone are other words.
 */
const NAMES = `
jupas: JH UW1 P AA0 S
miz: M IH1 Z
ielts: AY1 EH2 L T S
jpeg: JH EY1 P EH2 G
mpeg: EH1 M P EH2 G
toefl: T OW1 F AH0 L
toeic: T OW1 IH0 K
tsim sha tsui: CH IH1 M, SH AA1, CH OY1
tsuen wan: CH UW1 N, W AA1 N
wan chai: W AA1 N, CH AY1
mong kok: M AO1 NG, K AO1 K
sai ying pun: S AY1, Y IH1 NG, P UW1 N
sheung wan: SH AH1 NG, W AA1 N
sheung shui: SH AH1 NG, SH OY1
kwun tong: K W UH1 N, T AO1 NG
sham shui po: SH AH1 M, SH OY1, P OW1
yau ma tei: Y AW1, M AA1, T EY1
yau tong: Y AW1, T AO1 NG
tai koo: T AY1, K UW1
tai po: T AY1, P OW1
tai wai: T AY1, W AY1
tai o: T AY1, OW1
tai hang: T AY1, HH AA1 NG
tin hau: T IH1 N, HH AW1
sha tin: SH AA1, T IH1 N
fo tan: F OW1, T AA1 N
ma on shan: M AA1, AO1 N, SH AA1 N
tuen mun: T UW1 N, M UW1 N
yuen long: Y UW1 N, L AO1 NG
tin shui wai: T IH1 N, SH OY1, W AY1
tseung kwan o: CH AH1 NG, K W AH1 N, OW1
lai chi kok: L AY1, CH IY1, K AO1 K
lai king: L AY1, K IH1 NG
cheung sha wan: CH AH1 NG, SH AA1, W AA1 N
cheung chau: CH AH1 NG, CH AW1
kwai chung: K W AY1, CH UH1 NG
kwai fong: K W AY1, F AO1 NG
kwai hing: K W AY1, HH IH1 NG
wong tai sin: W AO1 NG, T AY1, S IH1 N
lok fu: L AO1 K, F UW1
lok ma chau: L AO1 K, M AA1, CH AW1
lo wu: L OW1, W UW1
kai tak: K AY1, T AE1 K
hung hom: HH UH1 NG, HH AH1 M
ho man tin: HH OW1, M AE1 N, T IH1 N
to kwa wan: T OW1, K W AA1, W AA1 N
shau kei wan: SH AW1, K EY1, W AA1 N
chai wan: CH AY1, W AA1 N
sai wan: S AY1, W AA1 N
sai kung: S AY1, K UH1 NG
ap lei chau: AA1 P, L EY1, CH AW1
tung chung: T UH1 NG, CH UH1 NG
tsing yi: CH IH1 NG, Y IY1
nam cheong: N AA1 M, CH AH1 NG
ngau tau kok: NG AW1, T AW1, K AO1 K
lam tin: L AA1 M, T IH1 N
lei yue mun: L EY1, Y UW1, M UW1 N
pok fu lam: P AO1 K, F UW1, L AA1 M
shek o: SH EH1 K, OW1
shek kip mei: SH EH1 K, K IH1 P, M EY1
mei foo: M EY1, F UW1
wong chuk hang: W AO1 NG, CH UH1 K, HH AA1 NG
tiu keng leng: T IY1 UW0, K EH1 NG, L EH1 NG
po lam: P OW1, L AA1 M
hang hau: HH AE1 NG, HH AW1
sai wan ho: S AY1, W AA1 N, HH OW1
quarry bay: K W AO1 R IY0, B EY1
hang seng: HH AE1 NG, S AH1 NG
cheung kong: CH AH1 NG, K AO1 NG
sun hung kai: S AH1 N, HH UH1 NG, K AY1
chow tai fook: CH AW1, T AY1, F UH1 K
lan kwai fong: L AA1 N, K W AY1, F AO1 NG
nathan: N EY1 TH AH0 N
hong kong: HH AO1 NG, K AO1 NG
kowloon: K AW2 L UW1 N
lantau: L AE1 N T AW0
lamma: L AA1 M AH0
fanling: F AE1 N L IH0 NG
macau: M AH0 K AW1
macao: M AH0 K AW1
shenzhen: SH EH2 N JH EH1 N
guangzhou: G W AA2 NG JH OW1
guangdong: G W AA2 NG D UH1 NG
zhuhai: JH UW2 HH AY1
beijing: B EY2 JH IH1 NG
xi an: SH IY1, AA1 N
dim sum: D IH1 M, S AH1 M
char siu: CH AA1, S Y UW1
siu mai: S Y UW1, M AY1
har gow: HH AA1, G AW1
yum cha: Y AH1 M, CH AA1
cha chaan teng: CH AA1, CH AA1 N, T EH1 NG
lai see: L AY1, S IY1
congee: K AO1 N JH IY0
iphone: AY1 F OW2 N
iphones: AY1 F OW2 N Z
ipad: AY1 P AE2 D
ipads: AY1 P AE2 D Z
imac: AY1 M AE2 K
macos: M AE1 K OW2 EH2 S
whatsapp: W AA1 T S AE2 P
wechat: W IY1 CH AE2 T
youtube: Y UW1 T UW2 B
youtuber: Y UW1 T UW2 B ER0
tiktok: T IH1 K T AA2 K
github: G IH1 T HH AH2 B
chatgpt: CH AE1 T JH IY2 P IY2 T IY1
openai: OW2 P AH0 N EY2 AY1
linkedin: L IH1 NG K T IH2 N
payme: P EY1 M IY2
alipay: AE1 L IY0 P EY2
ebay: IY1 B EY2
xbox: EH1 K S B AA2 K S
huawei: W AA2 W EY1
xiaomi: SH AW1 M IY2
taobao: T AW1 B AW2
nike: N AY1 K IY0
ikea: AY0 K IY1 AH0
uniqlo: Y UW1 N IY0 K L OW2
hyundai: HH AH1 N D EY2
porsche: P AO1 R SH AH0
wifi: W AY1 F AY2
unesco: Y UW0 N EH1 S K OW0
asean: AE1 S IY0 AA2 N
covid: K OW1 V IH0 D
croissant: K W AA1 S AA2 N T
croissants: K W AA1 S AA2 N T S
kyoto: K IY0 OW1 T OW0
cheongsam: CH AO1 NG S AE2 M
lingnan: L IH1 NG N AA2 N
tsinghua: CH IH1 NG HH W AA2
jyutping: Y UW1 T P IH2 NG
jyutsing: Y UW1 T S IH2 NG
nginx: EH1 N JH IH0 N EH1 K S
nvidia: EH0 N V IH1 D IY0 AH0
airbnb: EH1 R B IY2 EH2 N B IY1
byd: B IY2 W AY2 D IY1
qwen: K W EH1 N
renault: R EH1 N OW0
peugeot: P ER1 ZH OW0
kimchi: K IH1 M CH IY0
bibimbap: B IY1 B IH0 M B AA2 P
gnocchi: N Y OW1 K IY0
matcha: M AA1 CH AH0
wagyu: W AA1 G Y UW0
quinoa: K IY1 N W AA0
acai: AH0 S AA0 IY1
açaí: AH0 S AA0 IY1
wi-fi: W AY1 F AY2
`;

/** Surnames and syllables of given names; only with a capital letter. */
const PERSONS =
  'chan:CH AE1 N|wong:W AO1 NG|leung:L AH1 NG|cheung:CH AH1 NG|lau:L AW1|ng:AH1 NG|ho:HH OW1|yip:Y IH1 P|ip:Y IH1 P|tsang:T S AE1 NG|tse:T S EH1|tsui:CH OY1|' +
  'kwok:K W AO1 K|kwan:K W AA1 N|yeung:Y AH1 NG|lui:L OY1|choi:CH OY1|chow:CH AW1|chau:CH AW1|fung:F UH1 NG|hui:HH OY1|kwong:K W AO1 NG|lai:L AY1|lam:L AE1 M|' +
  'luk:L UH1 K|mak:M AE1 K|mok:M AO1 K|poon:P UW1 N|siu:S Y UW1|sze:S IY1|tam:T AE1 M|yau:Y AW1|yiu:Y UW1|yuen:Y UW1 N|heung:HH AH1 NG|chiu:CH UW1|' +
  'cheng:CH EH1 NG|chung:CH UH1 NG|tsoi:CH OY1|szeto:S IY2 T OW1|auyeung:AW2 Y AH1 NG|tsz:CH IY1|kwai:K W AY1|hoi:HH OY1|wai:W AY1|yee:Y IY1|chun:CH UH1 N|' +
  'xi:SH IY1|xu:SH UW1|zhang:JH AA1 NG|zhao:JH AW1|zhou:JH OW1|zheng:JH AH1 NG|qian:CH Y EH1 N|qin:CH IH1 N|cao:T S AW1|cai:T S AY1|xie:SH Y EH1|huang:HH W AA1 NG';

type Phones = readonly string[];
/** The words of a name and the phones of each. */
type NameRow = { words: readonly string[]; phones: readonly Phones[] };

const rows = NAMES.trim()
  .split('\n')
  .map((line): NameRow => {
    const [words = '', phones = ''] = line.split(': ');
    return { words: words.split(' '), phones: phones.split(', ').map((one) => one.split(' ')) };
  });

/** Rows by their first word, the longest first. */
export const NAME_ROWS: ReadonlyMap<string, readonly NameRow[]> = new Map(
  [...new Set(rows.map(({ words }) => words[0] ?? ''))].map((first): [string, NameRow[]] => {
    const ofFirst = rows.filter(({ words }) => words[0] === first);
    return [first, ofFirst.toSorted((a, b) => b.words.length - a.words.length)];
  }),
);

export const PERSON_NAMES: ReadonlyMap<string, Phones> = new Map(
  PERSONS.split('|').map((entry): [string, Phones] => {
    const [name = '', phones = ''] = entry.split(':');
    return [name, phones.split(' ')];
  }),
);
