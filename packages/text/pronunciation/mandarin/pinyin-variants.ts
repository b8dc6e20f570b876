/**
 * Characters with several readings in use, the commonest first, if they are a word by themselves,
 * where context does not always decide. Marked with *: only if the text has no other word, since a
 * sentence makes the reading clear.
 */
const POLYPHONES = `
行 xing2 hang2;长 chang2 zhang3;重 zhong4 chong2;乐 le4 yue4;好* hao3 hao4;中 zhong1 zhong4;种 zhong3 zhong4;数 shu4 shu3
得 de5 dei3 de2;地 de5 di4;着 zhe5 zhao2 zhuo2;了* le5 liao3;还 hai2 huan2;都* dou1 du1;教 jiao1 jiao4;觉 jue2 jiao4;为 wei4 wei2
分 fen1 fen4;干 gan4 gan1;发 fa1 fa4;倒 dao4 dao3;调 diao4 tiao2;空 kong1 kong4;转 zhuan3 zhuan4;传 chuan2 zhuan4;背 bei4 bei1
看* kan4 kan1;当 dang1 dang4;相 xiang1 xiang4;应 ying1 ying4;累 lei4 lei3 lei2;血 xue4 xie3;薄 bao2 bo2;露 lu4 lou4;熟 shu2 shou2
会* hui4 kuai4;曾 ceng2 zeng1;单* dan1 shan4;朝 chao2 zhao1;藏 cang2 zang4;差 cha4 cha1 chai1;处 chu4 chu3;弹 tan2 dan4
的* de5 di4 di2;钉 ding1 ding4;斗 dou4 dou3;度* du4 duo2;恶 e4 wu4 e3;缝 feng2 feng4;更 geng4 geng1;供 gong1 gong4;冠 guan1 guan4
和 he2 han4;横 heng2 heng4;划 hua2 hua4;夹 jia1 jia2;假 jia3 jia4;间 jian1 jian4;将 jiang1 jiang4;降 jiang4 xiang2;角 jiao3 jue2
结 jie2 jie1;解* jie3 xie4;尽 jin4 jin3;禁 jin4 jin1;劲 jin4 jing4;卷 juan3 juan4;卡 ka3 qia3;几 ji3 ji1;系 xi4 ji4;量 liang4 liang2
笼 long2 long3;率 lv4 shuai4;落 luo4 la4;埋 mai2 man2;没 mei2 mo4;闷 men4 men1;蒙 meng2 meng1;磨 mo2 mo4;难 nan2 nan4;宁 ning2 ning4
片 pian4 pian1;漂 piao1 piao4;铺 pu1 pu4;强 qiang2 qiang3 jiang4;切 qie1 qie4;曲 qu3 qu1;任 ren4 ren2;撒 sa1 sa3;塞 sai1 se4
散 san4 san3;色 se4 shai3;扇 shan4 shan1;少* shao3 shao4;舍 she4 she3;省 sheng3 xing3;盛 sheng4 cheng2;宿 su4 xiu3;似 si4 shi4
挑 tiao1 tiao3;帖 tie1 tie3 tie4;吐 tu3 tu4;鲜 xian1 xian3;吓 xia4 he4;兴 xing1 xing4;削 xiao1 xue1;校 xiao4 jiao4;钥 yao4 yue4
与 yu3 yu4;晕 yun1 yun4;载 zai4 zai3;扎 zha1 za1;炸 zha4 zha2;占 zhan4 zhan1;只* zhi3 zhi1;钻 zuan1 zuan4;那* na4 nei4;哪* na3 nei3
车* che1 ju1;便* bian4 pian2;待 dai4 dai1;逮 dai3 dai4;答 da2 da1;担 dan1 dan4;肚 du4 du3;杆 gan1 gan3;糊 hu2 hu4;混 hun4 hun2
豁 huo1 huo4;济 ji4 ji3;监 jian1 jian4;嚼 jiao2 jue2;倔 jue2 jue4;壳 ke2 qiao4;咳 ke2 hai1;乘 cheng2 sheng4;仆 pu2 pu1
朴* pu3 piao2;奔 ben1 ben4;剥 bo1 bao1;泊 bo2 po1;参* can1 shen1 cen1;称 cheng1 chen4;冲 chong1 chong4;臭* chou4 xiu4
创 chuang4 chuang1;啊 a1 a5;呀 ya1 ya5;嗯 en5 en1 en2 en4`;

/**
 * Readings on which standards (Beijing and Taipei) or speakers differ: accepted in every word. No
 * other readings are interchangeable.
 */
const EVERYWHERE = `
谁 shei2 shui2;这 zhe4 zhei4;那 na4 nei4;哪 na3 nei3;血 xue4 xie3 xue3;期 qi1 qi2;究 jiu1 jiu4;微 wei1 wei2;危 wei1 wei2
质 zhi4 zhi2;击 ji1 ji2;识 shi2 shi4 shi5;企 qi3 qi4;亚 ya4 ya3;液 ye4 yi4;垃 la1 le4;圾 ji1 se4;惜 xi1 xi2;昔 xi1 xi2;息 xi1 xi2 xi5
悉 xi1 xi2;淑 shu1 shu2;叔 shu1 shu2;拥 yong1 yong3;俱 ju4 ju1;迹 ji4 ji1;绩 ji4 ji1;寂 ji4 ji2;暂 zan4 zhan4;播 bo1 bo4;夕 xi1 xi4
储 chu3 chu2;帆 fan1 fan2;框 kuang4 kuang1;熟 shu2 shou2;突 tu1 tu2;诊 zhen3 zhen1;掷 zhi4 zhi2;筑 zhu4 zhu2;室 shi4 shi3
跌 die1 die2;拙 zhuo1 zhuo2;蜗 wo1 gua1;劣 lie4 lve4;薄 bao2 bo2;露 lu4 lou4;剥 bo1 bao1;嚼 jiao2 jue2;刽 gui4 kuai4;法 fa3 fa4
嗯 en5 en1 en2 en4 en3;咱 zan2 za2`;

/** Words whose last syllable may have its tone or be neutral, and suffixes of that kind. */
const SOMETIMES_NEUTRAL =
  '知道 看见 听见 遇见 起来 过来 过去 出来 出去 进来 进去 上来 上去 下来 下去 回来 回去 小姐 老虎 老鼠 父亲 母亲 客人 干净 小心 太阳 味道 因为 多少 里面 外面 上面 下面 前面 后面 ' +
  '左边 右边 旁边 里边 外边 上边 下边 前边 后边 家里 屋里 心里 手里 这里 那里 哪里 夜里 桌上 地上 身上 路上 街上 晚上 早上 世上 夫人 主人 新鲜 手艺 态度 价钱 力量 女婿 位置 道理 ' +
  '茉莉 牡丹 喜欢 学生 先生 漂亮 聪明 便宜 明白 清楚 事情 热闹 朋友 衣服 舒服 告诉 认识 打算 打听 商量 收拾 麻烦 消息 休息 时候 关系 意思 护士 大夫 师傅 媳妇 可以 所以';

/** Suffixes and particles that are always neutral, whatever dictionaries list for the character. */
export const ALWAYS_NEUTRAL: ReadonlySet<string> = new Set('的了吗嗎吧呢们們子么麼嘛啦着著');

export const OPTIONALLY_NEUTRAL: ReadonlySet<string> = new Set(SOMETIMES_NEUTRAL.split(' '));

type ReadingVariants = { readings: readonly string[]; isOnlyAlone: boolean };

function parse(list: string): ReadonlyMap<string, ReadingVariants> {
  return new Map(
    list
      .trim()
      .split(/[;\n]/u)
      .map((entry): [string, ReadingVariants] => {
        const [char = '', ...readings] = entry.trim().split(' ');
        return [char.replace('*', ''), { readings, isOnlyAlone: char.endsWith('*') }];
      }),
  );
}

export const POLYPHONIC: ReadonlyMap<string, ReadingVariants> = parse(POLYPHONES);
export const REGIONAL: ReadonlyMap<string, ReadingVariants> = parse(EVERYWHERE);
