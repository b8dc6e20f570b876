import { expect, it } from 'vitest';
import { addPinyin } from './add-pinyin.ts';

const read = (text: string) =>
  addPinyin([{ written: text, spokenForm: text, language: 'mandarin', reading: [] }]).flatMap(({ reading }) => reading);

it('reads words as dictionaries do', () => {
  const rows = [
    ['心脏病', 'xin1 zang4 bing4'],
    ['效果显著', 'xiao4 guo2 xian3 zhu4'],
    ['编著', 'bian1 zhu4'],
    ['他得不到支持', 'ta1 de2 bu2 dao4 zhi1 chi2'],
    ['需求量', 'xu1 qiu2 liang4'],
    ['数年前', 'shu4 nian2 qian2'],
    ['倒计时', 'dao4 ji4 shi2'],
    ['嚣张', 'xiao1 zhang1'],
    ['大城市', 'da4 cheng2 shi4'],
    ['率先', 'shuai4 xian1'],
    ['天翻地覆', 'tian1 fan1 di4 fu4'],
    ['被誉为', 'bei4 yu4 wei2'],
    ['秘书长', 'mi4 shu1 zhang3'],
    ['教务处', 'jiao4 wu4 chu4'],
    ['资产重组', 'zi1 chan3 chong2 zu3'],
    ['挨打', 'ai2 da3'],
    ['南水北调', 'nan2 shui2 bei3 diao4'],
    ['火箭弹', 'huo3 jian4 dan4'],
    ['布什总统', 'bu4 shi2 zong2 tong3'],
  ] as const;
  expect(rows.filter(([text, pinyin]) => read(text).join(' ') !== pinyin).map(([text]) => [text, read(text)])).toEqual(
    [],
  );
});

it('keeps words whole whose ends begin others', () => {
  const rows = [
    ['以开发为主题', 'yi3 kai1 fa1 wei2 zhu3 ti2'],
    ['警长来了', 'jing2 zhang3 lai2 le5'],
    ['请调整音量', 'qing3 tiao2 zheng3 yin1 liang4'],
    ['节目的表现力', 'jie2 mu4 de5 biao3 xian4 li4'],
    ['举行会谈', 'ju3 xing2 hui4 tan2'],
    ['房间隔音', 'fang2 jian1 ge2 yin1'],
    ['类似的事件', 'lei4 si4 de5 shi4 jian4'],
    ['有着重要的', 'you3 zhe5 zhong4 yao4 de5'],
    ['军区某部', 'jun1 qu1 mou3 bu4'],
    ['出任总理', 'chu1 ren4 zong2 li3'],
    ['大多数都得到了', 'da4 duo1 shu4 dou1 de2 dao4 le5'],
    ['有意义的么', 'you3 yi4 yi4 de5 me5'],
    ['你应承担责任', 'ni3 ying1 cheng2 dan1 ze2 ren4'],
    ['印刷量', 'yin4 shua1 liang4'],
  ] as const;
  expect(rows.filter(([text, pinyin]) => read(text).join(' ') !== pinyin).map(([text]) => [text, read(text)])).toEqual(
    [],
  );
});

it('leaves the same characters alone elsewhere', () => {
  const rows = [
    ['看著他', 'kan4 zhe5 ta1'],
    ['我得去', 'wo2 dei3 qu4'],
    ['应总理的邀请', 'ying4 zong2 li3 de5 yao1 qing3'],
    ['量体温', 'liang2 ti3 wen1'],
    ['任老师', 'ren2 lao3 shi1'],
    ['他数了数钱', 'ta1 shu3 le5 shu3 qian2'],
    ['弄脏了', 'nong4 zang1 le5'],
    ['为了你', 'wei4 le5 ni3'],
    ['商量', 'shang1 liang5'],
    ['比什么都好', 'bi3 shen2 me5 dou1 hao3'],
    ['时间差不多了', 'shi2 jian1 cha4 bu5 duo1 le5'],
    ['为生活奔波', 'wei4 sheng1 huo2 ben1 bo1'],
    ['我们都统一', 'wo3 men5 dou1 tong3 yi1'],
    ['教育长期投入', 'jiao4 yu4 chang2 qi1 tou2 ru4'],
    ['每天都得到食堂吃饭', 'mei3 tian1 dou1 dei3 dao4 shi2 tang2 chi1 fan4'],
    ['没人应', 'mei2 ren2 ying4'],
    ['各行各业', 'ge4 hang2 ge4 ye4'],
    ['用尺子量', 'yong4 chi3 zi5 liang2'],
    ['火车只开到北京', 'huo3 che1 zhi3 kai1 dao4 bei3 jing1'],
    ['长城', 'chang2 cheng2'],
    ['教书', 'jiao1 shu1'],
    ['静静地看', 'jing4 jing4 de5 kan4'],
    ['跌倒', 'die1 dao3'],
    ['弹琴', 'tan2 qin2'],
    ['什么', 'shen2 me5'],
  ] as const;
  expect(rows.filter(([text, pinyin]) => read(text).join(' ') !== pinyin).map(([text]) => [text, read(text)])).toEqual(
    [],
  );
});
