import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PINYIN_ONSETS, PINYIN_RIMES, formatPinyin, parsePinyin } from './pinyin.ts';

/** Every base syllable of the standard language. */
const SYLLABLES = `
a ai an ang ao e ei en eng er o ou yi ya yan yang yao ye yin ying yong you wu wa wai wan wang wei wen weng wo yu yuan yue yun
ba bai ban bang bao bei ben beng bi bian biao bie bin bing bo bu pa pai pan pang pao pei pen peng pi pian piao pie pin ping
po pou pu ma mai man mang mao me mei men meng mi mian miao mie min ming miu mo mou mu fa fan fang fei fen feng fo fou fu
da dai dan dang dao de dei den deng di dia dian diao die ding diu dong dou du duan dui dun duo ta tai tan tang tao te teng ti
tian tiao tie ting tong tou tu tuan tui tun tuo na nai nan nang nao ne nei nen neng ni nian niang niao nie nin ning niu nong
nou nu nuan nuo nv nve la lai lan lang lao le lei leng li lia lian liang liao lie lin ling liu lo long lou lu luan lun luo lv
lve ga gai gan gang gao ge gei gen geng gong gou gu gua guai guan guang gui gun guo ka kai kan kang kao ke kei ken keng kong
kou ku kua kuai kuan kuang kui kun kuo ha hai han hang hao he hei hen heng hong hou hu hua huai huan huang hui hun huo ji jia
jian jiang jiao jie jin jing jiong jiu ju juan jue jun qi qia qian qiang qiao qie qin qing qiong qiu qu quan que qun xi xia
xian xiang xiao xie xin xing xiong xiu xu xuan xue xun zha zhai zhan zhang zhao zhe zhei zhen zheng zhi zhong zhou zhu zhua
zhuai zhuan zhuang zhui zhun zhuo cha chai chan chang chao che chen cheng chi chong chou chu chua chuai chuan chuang chui
chun chuo sha shai shan shang shao she shei shen sheng shi shou shu shua shuai shuan shuang shui shun shuo ran rang rao re
ren reng ri rong rou ru rua ruan rui run ruo za zai zan zang zao ze zei zen zeng zi zong zou zu zuan zui zun zuo ca cai can
cang cao ce cen ceng ci cong cou cu cuan cui cun cuo sa sai san sang sao se sen seng si song sou su suan sui sun suo
`
  .trim()
  .split(/\s+/);

/** Parses a Python list of the training labels. */
function trainingLabels(name: string): string[] {
  const source = readFileSync(join(import.meta.dirname, '../../../training/acoustic/labels.py'), 'utf8');
  const [, quoted = ''] = new RegExp(`^${name} = \\(?((?:\\s*'[^']*')+)`, 'm').exec(source) ?? [];
  return quoted
    .replaceAll(/'\s*'|'/g, '')
    .trim()
    .split(/\s+/);
}

describe('written pinyin and its sounds', () => {
  test('every syllable in every tone is the same after parsing and formatting', () => {
    expect(SYLLABLES.length).toBeGreaterThan(400);
    const spellings = SYLLABLES.flatMap((base) => [1, 2, 3, 4, 5].map((tone) => `${base}${tone}`));
    const rewritten = spellings.map((spelling) => {
      const syllable = parsePinyin(spelling);
      return syllable === null ? null : formatPinyin(syllable);
    });
    expect(rewritten).toEqual(spellings);
  });

  test('different syllables have different sounds', () => {
    const sounds = SYLLABLES.map((base) => {
      const { onset, rime } = parsePinyin(base) ?? { onset: '?', rime: '?' };
      return `${onset} ${rime}`;
    });
    expect(new Set(sounds).size).toBe(new Set(SYLLABLES).size);
  });

  test.each([
    ['zhong1', 'zh', 'ong', 1],
    ['lv4', 'l', 'v', 4],
    ['lü4', 'l', 'v', 4],
    ['nve4', 'n', 've', 4],
    ['yuan2', '', 'van', 2],
    ['xue2', 'x', 've', 2],
    ['jun1', 'j', 'vn', 1],
    ['yu3', '', 'v', 3],
    ['er2', '', 'er', 2],
    ['ri4', 'r', 'ir', 4],
    ['si4', 's', 'iz', 4],
    ['you3', '', 'iu', 3],
    ['wei4', '', 'ui', 4],
    ['wen2', '', 'un', 2],
    ['weng1', '', 'ueng', 1],
    ['yong4', '', 'iong', 4],
    ['wo3', '', 'uo', 3],
    ['bo1', 'b', 'o', 1],
    ['ma', 'm', 'a', 5],
  ])('%s is [%s] [%s] in tone %i', (written, onset, rime, tone) => {
    expect(parsePinyin(written)).toEqual({ onset, rime, tone });
  });

  test('the sounds are those of the acoustic model, in its order', () => {
    expect(PINYIN_ONSETS).toEqual(trainingLabels('CMN_ONSETS'));
    expect(PINYIN_RIMES).toEqual(trainingLabels('CMN_RIMES'));
  });

  test.each(['', '5', 'm2', 'ng4', 'hm', 'hello', 'zhong6', '中', 'zh', 'lüü', 'yo1', 'a1 b2', 'ng'])(
    '%j is no syllable',
    (text) => {
      expect(parsePinyin(text)).toBeNull();
    },
  );
});
