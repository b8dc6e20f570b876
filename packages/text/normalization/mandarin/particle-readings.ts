import { SURNAMES } from './mandarin-readings.ts';
import { readByFrame } from './polyphones.ts';

/**
 * A character with its context: `wordFrom` and `wordTo` delimit its word within `text`, whose
 * characters are one UTF-16 unit each.
 */
type CharacterContext = { text: readonly string[]; at: number; wordFrom: number; wordTo: number };

const PRONOUN = /[我你您他她它们咱谁人]/u;
const NUMBER = /[零一二两三四五六七八九十百千万几半每第这那哪数多]/u;
const PARTICLES: Readonly<Record<string, string>> = {
  的: 'de5',
  吗: 'ma5',
  呢: 'ne5',
  吧: 'ba5',
  啊: 'a5',
  呀: 'ya5',
  哇: 'wa5',
  嘛: 'ma5',
  啦: 'la5',
  们: 'men5',
  么: 'me5',
};
/** Words with a full 的: 目的, 的确, 的士. */
const FULL_DE: Readonly<Record<string, string>> = {
  目的: 'di4',
  的确: 'di2',
  的士: 'di1',
  标的: 'di4',
  有的放矢: 'di4',
};
/** Characters before 目 in words that are no aim: 节目, 题目. */
const LISTS = /[节题项科栏剧数书条名账耳盲曲篇品]/u;
/** Words in which 子 is a person, a particle or a seed and keeps its tone. */
const FULL_ZI =
  /[电原分量王女男孔老弟父母君才天太公亲独瓜莲精卵中质离粒光因游浪学赤臣松棋鱼童仙孟庄荀墨核介胚配菩九诸庶嫡世西士逆皇]子$/u;
const TITLES = /^(?:先生|小姐|女士|太太|老师|医生|教授|经理|律师|主任|总|某|氏|家|同学|师傅)/u;

/**
 * Returns the reading that follows from the context and that a dictionary lacks; null to keep that
 * of the dictionary.
 */
export function readByContext(context: CharacterContext): string | null {
  const { text, at } = context;
  const char = text[at] ?? '';
  const before = text[at - 1] ?? '';
  const after = text[at + 1] ?? '';
  if (Object.hasOwn(SURNAMES, char) && isSurname(context)) return SURNAMES[char] ?? null;
  if (char === '的' && before === '目' && LISTS.test(text[at - 2] ?? '')) return 'de5';
  if (Object.hasOwn(PARTICLES, char)) return readParticle(char, before, after);
  const framed = readByFrame(text, at);
  if (framed !== null) return framed;
  const rule = Object.hasOwn(RULES, char) ? RULES[char] : undefined;
  return rule === undefined ? null : rule(context, before, after);
}

function isSurname({ text, at, wordFrom, wordTo }: CharacterContext): boolean {
  if (text[at - 1] === '姓') return true;
  // 军区某部 and 出任总理 have no surname.
  const endsWord = at > wordFrom && at === wordTo - 1;
  return !endsWord && TITLES.test(text.slice(at + 1, at + 4).join('')) && !/[么乐]/u.test(text[at] ?? '');
}

function readParticle(char: string, before: string, after: string): string | null {
  if (char === '的' && before === '打' && /[去回来到费票]/u.test(after)) return 'di1';
  if (char === '的') return FULL_DE[before + char] ?? FULL_DE[char + after] ?? 'de5';
  // 老么 and 么妹 are the youngest.
  if (char === '么' && (before === '老' || /[妹弟叔]/u.test(after))) return 'yao1';
  if (char === '么' && before === '') return null;
  // 哇 and 啊 alone, before other words, are exclamations.
  if (before === '' && /[啊呀哇]/u.test(char)) return null;
  return char === '们' && before === '' ? null : (PARTICLES[char] ?? null);
}

type Rule = (context: CharacterContext, before: string, after: string) => string | null;

const isAlone = ({ wordFrom, wordTo }: CharacterContext) => wordTo - wordFrom === 1;

const RULES: Readonly<Record<string, Rule>> = {
  得: ({ text, at }, before, after) => {
    if (/(?:一定|必须|肯定|恐怕|早晚|迟早|至少|起码|今天|明天|先)$/u.test(text.slice(Math.max(0, at - 2), at).join('')))
      return 'dei3';
    if (/^[了过到第奖]/u.test(after) && (before === '' || PRONOUN.test(before))) return 'de2';
    // "To obtain", 都得到了, but 都得到医院去 is "must".
    const obtains = after === '到' && /^[了过的很较更充一]/u.test(text[at + 2] ?? '');
    if (before === '' || PRONOUN.test(before) || /[就也还都可必总非又]/u.test(before))
      return after === '' || obtains ? 'de2' : 'dei3';
    return text[at + 1] === undefined && before === '不' ? 'de2' : 'de5';
  },
  地: (context, before, after) => {
    const { text, at, wordFrom } = context;
    if (after === '' || /[的在这那此该各每本满遍一扫下土落拖着种某外当]/u.test(before) || before === '') return null;
    const wordBefore = text.slice(Math.max(0, at - 2), at).join('');
    if (/^[的上下里面方点区铁图址位球带]/u.test(after)) return null;
    if (at - wordFrom >= 2 || /^(.)\1$/u.test(wordBefore)) return 'de5';
    return isAlone(context) && wordBefore.length === 2 && !/[了过给去到]/u.test(before) ? 'de5' : null;
  },
  了: (_place, before, after) => {
    if (/[不得]/u.test(before) && (after === '' || /[了吗呢的吧，]/u.test(after) || before === '不')) return 'liao3';
    return before === ''
      ? null
      : /[解结]/u.test(after) && before !== '' && /[我你他们不很更要能]/u.test(before)
        ? 'liao3'
        : 'le5';
  },
  过: (_place, before, after) => {
    if (before === '' || !/[去来到看吃听说做学想见问用读写住买玩坐爱当打有试经没过]/u.test(before)) return null;
    return before === '经' || /[没有]/u.test(before) || /^[程度分滤年节期]/u.test(after) ? null : 'guo5';
  },
  还: (_place, before, after) =>
    after === '了' || (/[我你他她它]/u.test(after) && /[快请先要来去会能得]/u.test(before)) ? 'huan2' : null,
  教: (context, _before, after) => (isAlone(context) && after !== '' ? 'jiao1' : null),
  // "To measure", 量体温; an amount is large or falls, 水晶量大.
  量: (context, before, after) => {
    if (!isAlone(context) || NUMBER.test(before.replace('一', ''))) return null;
    return before !== '' && /[大小剧骤锐猛激]/u.test(after) ? 'liang4' : 'liang2';
  },
  // "Should"; 应邀 and 应他的邀请 answer.
  应: (context, before, after) => {
    if (!isAlone(context) || /[邀聘征召]/u.test(after)) return null;
    // "To answer": 他应了一声, 没人应.
    if (after === '' || /[了过道声一我你他她]/u.test(after)) return before === '' ? null : 'ying4';
    const rest = context.text.slice(context.at + 1, context.at + 16).join('');
    return /邀请|要求|请求|之邀|之约/u.test(rest) ? 'ying4' : 'ying1';
  },
  // "To do"; 干净 and 晒干 are dry.
  干: (context, before, after) => {
    if (!isAlone(context) || /[净燥旱粮杯脆枯湿扰涉预]/u.test(after)) return null;
    return /[下起活过就得啥嘛]/u.test(after) || (/[想敢肯苦能不]/u.test(before) && after !== '了') ? 'gan4' : null;
  },
  // "To count", behind who counts or before how far; behind another noun a number: 代码行数.
  数: (context, before, after) => {
    if (!isAlone(context) || after === '' || /[个位人的]/u.test(before)) return null;
    const rest = context.text.slice(context.at + 1, context.at + 3).join('');
    const isVerb = before === '' || /[我你您他她它们来去会要能想在着给帮让请快先再又就边地了可难]/u.test(before);
    return (isVerb && !/[独控码值位据学]/u.test(after)) || /^(?:[了过着到完清出钱羊钞星]|一[数下遍])/u.test(rest)
      ? 'shu3'
      : 'shu4';
  },
  // "Only", but 一只猫, 船只 and 只身; 这只是 is "this is only".
  只: ({ text, at }, before, after) => {
    const isVessel = /[船舰艇]/u.test(before) && !/[有能是会要够可需卖]/u.test(after);
    const isThing = isVessel || (/[车牲羊禽影]/u.test(before) && (after === '' || /[的在和与被已很，]/u.test(after)));
    if (isThing || /[身言]/u.test(after)) return null;
    // A total of something is no count of it: 总数只增长了.
    if (before === '数' && /[总人次天分倍级指参函系对奇偶]/u.test(text[at - 2] ?? '')) return 'zhi3';
    return NUMBER.test(before) && !(/[这那多]/u.test(before) && /[是能需说限有]/u.test(after)) ? 'zhi1' : 'zhi3';
  },
  // A measure and what has its shape; "to fight" is dou4.
  斗: (_place, before, after) =>
    /[北漏烟车熨墨筋阿料星]/u.test(before) ||
    /[门笠篷胆室拱柜方魁南六转]/u.test(after) ||
    (/[一二两三四五六七八九十百千万半几]/u.test(before) && !/[争殴]/u.test(after))
      ? 'dou3'
      : null,
  种: (context, before, after) =>
    /[在要会想去能来]/u.test(before) || (isAlone(context) && after === '' && /[难好没别]/u.test(before))
      ? 'zhong4'
      : null,
  行: (context, before, after) => {
    if (isAlone(context) && NUMBER.test(before) && before !== '多' && before !== '千' && before !== '万')
      return 'hang2';
    return after === '' && isAlone(context) ? 'xing2' : null;
  },
  为: (context, before, after) => {
    if (!isAlone(context)) return null;
    if (/[零一二两三四五六七八九十百千万]/u.test(after)) return 'wei2';
    const earlier = context.text.slice(Math.max(0, context.at - 8), context.at).join('');
    return /以[^以]{1,7}$/u.test(earlier) || /[称选分变化定视改设作当译]/u.test(before) ? 'wei2' : 'wei4';
  },
  长: (context, before, after) => {
    if (/[了着得大高胖]/u.test(after) && isAlone(context) && !/[很太最更多不么]/u.test(before)) return 'zhang3';
    return isAlone(context) && /[很太最更多好真么]/u.test(before) ? 'chang2' : null;
  },
  // After a number 宿 counts nights.
  宿: (context, before, after) => (isAlone(context) && NUMBER.test(before) && after !== '舍' ? 'xiu3' : null),
  背: (context, before, after) => (isAlone(context) && /[着了起上]/u.test(after) && before !== '后' ? 'bei1' : null),
  儿: (context, before) => (context.at === context.wordTo - 1 && before !== '' && isCurl(context) ? 'er5' : null),
  子: ({ text, at, wordFrom, wordTo }) => {
    if (at === wordFrom || at !== wordTo - 1) return null;
    const word = text.slice(wordFrom, at + 1).join('');
    return word.length > 3 || FULL_ZI.test(word) ? null : 'zi5';
  },
};

/**
 * Whether 儿 is a suffix that rhotacizes the vowel before it. It gets a separate neutral syllable,
 * which every engine can pronounce.
 */
function isCurl({ text, at }: CharacterContext): boolean {
  return !/[女婴幼孤胎少健宠小男生育混产患]/u.test(text[at - 1] ?? '');
}
