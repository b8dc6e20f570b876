import { expect, it } from 'vitest';
import { addPinyin } from './add-pinyin.ts';

const read = (text: string) =>
  addPinyin([{ written: text, spokenForm: text, language: 'mandarin', reading: [] }])
    .flatMap(({ reading }) => reading)
    .join(' ');

/** A text with a character of several readings, and the part of its reading that tells. */
const ROWS: readonly (readonly [text: string, part: string])[] = [
  ['他在银行当行长', 'dang1 hang2 zhang3'],
  ['别把我的话当真', 'dang4 zhen1'],
  ['我还没还他的钱', 'mei2 huan2 ta1'],
  ['明天还你', 'huan2 ni3'],
  ['他还我行我素', 'hai2 wo3'],
  ['火着了三个小时', 'huo3 zhao2 le5'],
  ['裡面有著火的危險', 'zhao2 huo3'],
  ['你猜着了', 'cai1 zhao2 le5'],
  ['他的穿着', 'chuan1 zhuo2'],
  ['他站着不动', 'zhan4 zhe5'],
  ['事情了结了', 'liao3 jie2'],
  ['这副牌我和了', 'hu2 le5'],
  ['他干活干得满头大汗', 'gan4 de5'],
  ['衣服干得快', 'gan1 de5'],
  ['这活儿我干了三年', 'gan4 le5'],
  ['一口气干了三杯', 'gan1 le5'],
  ['把水倒进去', 'dao4 jin4'],
  ['把敌人打倒在地', 'dao3 zai4'],
  ['大树倒在地上', 'dao3 zai4'],
  ['朝阳照进房间', 'zhao1 yang2'],
  ['朝阳区在北京', 'chao2 yang2'],
  ['他中了大奖', 'zhong4 le5'],
  ['学习中了解情况', 'xue2 xi2 zhong1'],
  ['我在旁边数圈数', 'shu3 quan1 shu4'],
  ['帮我数颗糖', 'shu3 ke1'],
  ['数个小时之后', 'shu4 ge4'],
  ['数圈之后', 'shu4 quan1'],
  ['他冲我喊', 'chong4'],
  ['冲茶', 'chong1'],
  ['缝衣服', 'feng2'],
  ['一石米', 'yi2 dan4 mi3'],
  ['车二平五', 'ju1 er4 ping2 wu3'],
  ['车二十辆', 'che1 er4'],
  ['照相机里的相片', 'xiang4 pian4'],
  ['果实累累', 'lei2 lei2'],
  ['伤痕累累', 'lei2 lei3'],
  ['打的去机场', 'di1 qu4'],
  ['孩子们和着音乐跳舞', 'he4 zhe5'],
  ['银行行员', 'hang2 hang2 yuan2'],
  ['处三年以下有期徒刑', 'chu3 san1'],
  ['不一会儿他就来了', 'bu4 yi2 hui4'],
  ['十一点一刻', 'yi2 ke4'],
  ['一样一样来', 'yi2 yang4 yi2 yang4'],
  ['重重地打了一下', 'zhong4 zhong4 de5'],
  ['夏天用电量猛增', 'yong4 dian4 liang4'],
  ['医生给他量血压', 'liang2 xue4 ya1'],
  ['一个供幼儿练习的软件', 'gong1 you4 er2'],
  ['口供和供词', 'kou3 gong4'],
  ['服务提供认证', 'ti2 gong1'],
  ['可以衡量这些公司', 'heng2 liang2'],
  ['数量一直不够', 'shu4 liang4'],
  ['我重新量了量', 'liang2 le5 liang2'],
  ['质量出了问题', 'zhi4 liang4'],
  ['查看系统运行情况', 'yun4 xing2 qing2 kuang4'],
  ['代码行数体积', 'hang2 shu4'],
  ['平均数一些', 'ping2 jun1 shu4'],
  ['需要处理器从内存中读取', 'chu2 li3 qi4'],
  ['住宅的空房间作为民宿', 'fang2 jian1'],
  ['女孩倒确实很漂亮', 'dao4 que4 shi2'],
  ['隔音非常差的酒店', 'cha4 de5'],
  ['用户总数只增长了一成', 'zong3 shu4 zhi3'],
  ['由其他船只运送过来', 'chuan2 zhi1'],
  ['通过分布式协议', 'fen1 bu4'],
  ['仍有人参加', 'can1 jia1'],
  ['不知道长期使用', 'chang2 qi1'],
  ['先到先得', 'xian1 de2'],
  ['可能还有要求', 'yao1 qiu2'],
];

it('reads characters of several readings by what is beside them', () => {
  const wrong = ROWS.filter(([text, part]) => !` ${read(text)} `.includes(` ${part} `));
  expect(wrong.map(([text]) => [text, read(text)])).toEqual([]);
});
