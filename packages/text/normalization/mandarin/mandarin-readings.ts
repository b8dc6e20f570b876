import { readFileSync } from 'node:fs';

/**
 * Words in Simplified characters whose reading pinyin-pro lacks, has wrong, or gives in full tones
 * where the last syllable is neutral. Tones before sandhi, 5 neutral. Longer words win. The last
 * lines keep words whole whose ends begin others: 节目的 has no 目的. Kept as text: an object of
 * thousands of entries is slow to load.
 */
const WORDS = `
银行 yin2 hang2;行长 hang2 zhang3;行业 hang2 ye4;行列 hang2 lie4;同行 tong2 hang2;内行 nei4 hang2;外行 wai4 hang2;排行 pai2 hang2;行情 hang2 qing2
央行 yang1 hang2;投行 tou2 hang2;分行 fen1 hang2;总行 zong3 hang2;支行 zhi1 hang2;商行 shang1 hang2;建行 jian4 hang2;中行 zhong1 hang2;道行 dao4 heng2
重庆 chong2 qing4;重复 chong2 fu4;重新 chong2 xin1;重来 chong2 lai2;重做 chong2 zuo4;重写 chong2 xie3;重启 chong2 qi3;重阳 chong2 yang2;重播 chong2 bo1
长大 zhang3 da4;长得 zhang3 de5;长高 zhang3 gao1;长胖 zhang3 pang4;长出 zhang3 chu1;长满 zhang3 man3;长相 zhang3 xiang4;长成 zhang3 cheng2;长辈 zhang3 bei4
校长 xiao4 zhang3;院长 yuan4 zhang3;部长 bu4 zhang3;局长 ju2 zhang3;市长 shi4 zhang3;省长 sheng3 zhang3;县长 xian4 zhang3;处长 chu4 zhang3;科长 ke1 zhang3
班长 ban1 zhang3;船长 chuan2 zhang3;队长 dui4 zhang3;组长 zu3 zhang3;团长 tuan2 zhang3;会长 hui4 zhang3;家长 jia1 zhang3;董事长 dong3 shi4 zhang3;机长 ji1 zhang3
厂长 chang3 zhang3;站长 zhan4 zhang3;店长 dian4 zhang3;社长 she4 zhang3;首长 shou3 zhang3;村长 cun1 zhang3;所长 suo3 zhang3;馆长 guan3 zhang3;学长 xue2 zhang3
音乐 yin1 yue4;乐队 yue4 dui4;乐器 yue4 qi4;乐团 yue4 tuan2;声乐 sheng1 yue4;奏乐 zou4 yue4;乐谱 yue4 pu3;乐章 yue4 zhang1;快乐 kuai4 le4;可乐 ke3 le4
得到 de2 dao4;得了冠军 de2 le5 guan4 jun1;得奖 de2 jiang3;得分 de2 fen1;得病 de2 bing4;得知 de2 zhi1;得出 de2 chu1;得意 de2 yi4;得罪 de2 zui4;得以 de2 yi3
取得 qu3 de2;获得 huo4 de2;赢得 ying2 de2;难得 nan2 de2;心得 xin1 de2;不得不 bu4 de2 bu4;不得了 bu4 de2 liao3;了不得 liao3 bu5 de2;只得 zhi3 de2;夺得 duo2 de2
觉得 jue2 de5;值得 zhi2 de5;记得 ji4 de5;懂得 dong3 de5;舍得 she3 de5;显得 xian3 de5;使得 shi3 de5;免得 mian3 de5;省得 sheng3 de5;晓得 xiao3 de5;认得 ren4 de5
来得及 lai2 de5 ji2;来不及 lai2 bu5 ji2;恨不得 hen4 bu5 de5;巴不得 ba1 bu5 de5;舍不得 she3 bu5 de5;怪不得 guai4 bu5 de5;总得 zong3 dei3;非得 fei1 dei3;还得 hai2 dei3
必得 bi4 dei3;就得 jiu4 dei3;也得 ye3 dei3;都得 dou1 dei3;又得 you4 dei3;可得 ke3 dei3;睡觉 shui4 jiao4;午觉 wu3 jiao4;懒觉 lan3 jiao4;一觉 yi1 jiao4
了解 liao3 jie3;了不起 liao3 bu5 qi3;了结 liao3 jie2;受不了 shou4 bu5 liao3;一目了然 yi1 mu4 liao3 ran2;为了 wei4 le5;除了 chu2 le5;罢了 ba4 le5
着急 zhao2 ji2;着火 zhao2 huo3;着凉 zhao2 liang2;着迷 zhao2 mi2;睡着 shui4 zhao2;睡不着 shui4 bu5 zhao2;找不着 zhao3 bu5 zhao2;着想 zhuo2 xiang3;着手 zhuo2 shou3;着重 zhuo2 zhong4
着落 zhuo2 luo4;衣着 yi1 zhuo2;穿着打扮 chuan1 zhuo2 da3 ban4;执着 zhi2 zhuo2;沉着 chen2 zhuo2;着陆 zhuo2 lu4;着装 zhuo2 zhuang1;着眼 zhuo2 yan3;意味着 yi4 wei4 zhe5
还给 huan2 gei3;还书 huan2 shu1;还钱 huan2 qian2;还债 huan2 zhai4;还款 huan2 kuan3;还清 huan2 qing1;还价 huan2 jia4;还手 huan2 shou3;归还 gui1 huan2;偿还 chang2 huan2
还原 huan2 yuan2;退还 tui4 huan2;交还 jiao1 huan2;还车 huan2 che1;还贷 huan2 dai4;还有 hai2 you3;还是 hai2 shi4;还会 hai2 hui4;还要 hai2 yao4;还没 hai2 mei2
教书 jiao1 shu1;教我 jiao1 wo3;教你 jiao1 ni3;教他 jiao1 ta1;教她 jiao1 ta1;教课 jiao1 ke4;教会他 jiao1 hui4 ta1;教会我 jiao1 hui4 wo3;教育 jiao4 yu4;教室 jiao4 shi4
有空 you3 kong4;没空 mei2 kong4;空闲 kong4 xian2;空白 kong4 bai2;空地 kong4 di4;空缺 kong4 que1;抽空 chou1 kong4;填空 tian2 kong4;空位 kong4 wei4;得空 de2 kong4
便宜 pian2 yi5;因为 yin1 wei4;为什么 wei4 shen2 me5;认为 ren4 wei2;以为 yi3 wei2;成为 cheng2 wei2;作为 zuo4 wei2;行为 xing2 wei2;称为 cheng1 wei2;视为 shi4 wei2
为主 wei2 zhu3;为例 wei2 li4;为准 wei2 zhun3;为止 wei2 zhi3;为期 wei2 qi1;为难 wei2 nan2;分为 fen1 wei2;选为 xuan3 wei2;定为 ding4 wei2;改为 gai3 wei2;变为 bian4 wei2
转为 zhuan3 wei2;评为 ping2 wei2;化为 hua4 wei2;最为 zui4 wei2;极为 ji2 wei2;更为 geng4 wei2;尤为 you2 wei2;较为 jiao4 wei2;大为 da4 wei2;为人民 wei4 ren2 min2
爱好 ai4 hao4;好奇 hao4 qi2;好学 hao4 xue2;好客 hao4 ke4;好胜 hao4 sheng4;喜好 xi3 hao4;好动 hao4 dong4;好吃懒做 hao4 chi1 lan3 zuo4;好好学习 hao3 hao3 xue2 xi2
数钱 shu3 qian2;数数 shu3 shu4;数一数 shu3 yi1 shu3;数不清 shu3 bu5 qing1;数星星 shu3 xing1 xing5;更改 geng1 gai3;更新 geng1 xin1;更换 geng1 huan4;更衣 geng1 yi1;变更 bian4 geng1
传说 chuan2 shuo1;自传 zi4 zhuan4;传记 zhuan4 ji4;水浒传 shui3 hu3 zhuan4;外传 wai4 zhuan4;量体温 liang2 ti3 wen1;量身 liang2 shen1;测量 ce4 liang2;打量 da3 liang5;商量 shang1 liang5
都市 du1 shi4;首都 shou3 du1;成都 cheng2 du1;京都 jing1 du1;今朝 jin1 zhao1;朝气 zhao1 qi4;朝霞 zhao1 xia2;屏住 bing3 zhu4;屏息 bing3 xi1;屏气 bing3 qi4;朝暮 zhao1 mu4;主角 zhu3 jue2;配角 pei4 jue2;角色 jue2 se4
背包 bei1 bao1;背书包 bei1 shu1 bao1;背着 bei1 zhe5;背负 bei1 fu4;系鞋带 ji4 xie2 dai4;系领带 ji4 ling3 dai4;系上 ji4 shang4;系好 ji4 hao3;系紧 ji4 jin3;系安全带 ji4 an1 quan2 dai4
种地 zhong4 di4;种树 zhong4 shu4;种花 zhong4 hua1;种菜 zhong4 cai4;种田 zhong4 tian2;种植 zhong4 zhi2;倒是 dao4 shi4;倒水 dao4 shui3;倒茶 dao4 cha2;倒车 dao4 che1;倒数 dao4 shu3
知识分子 zhi1 shi5 fen4 zi3;成分 cheng2 fen4;过分 guo4 fen4;部分 bu4 fen5;水分 shui3 fen4;分量 fen4 liang4;切菜 qie1 cai4;切开 qie1 kai1;称重 cheng1 zhong4;对称 dui4 chen4
称职 chen4 zhi2;盛饭 cheng2 fan4;一宿 yi1 xiu3;勉强 mian3 qiang3;模样 mu2 yang4;西藏 xi1 zang4;宝藏 bao3 zang4;湖泊 hu2 po1;喝彩 he4 cai3;灾难 zai1 nan4;门缝 men2 feng4
上当 shang4 dang4;当作 dang4 zuo4;当成 dang4 cheng2;适当 shi4 dang4;恰当 qia4 dang4;冠军 guan4 jun1;转圈 zhuan4 quan1;转动 zhuan4 dong4;下载 xia4 zai4;记载 ji4 zai3;载客 zai4 ke4
看守 kan1 shou3;看门 kan1 men2;看家 kan1 jia1;少年 shao4 nian2;几乎 ji1 hu1;划船 hua2 chuan2;划算 hua2 suan4;弹琴 tan2 qin2;弹钢琴 tan2 gang1 qin2;子弹 zi3 dan4;炸弹 zha4 dan4
中奖 zhong4 jiang3;中毒 zhong4 du2;打中 da3 zhong4;击中 ji1 zhong4;猜中 cai1 zhong4;看中 kan4 zhong4;中暑 zhong4 shu3;中彩 zhong4 cai3;命中 ming4 zhong4;出差 chu1 chai1;差点 cha4 dian3
差不多 cha4 bu5 duo1;对不起 dui4 bu5 qi3;看不起 kan4 bu5 qi3;参差 cen1 ci1;人参 ren2 shen1;参与 can1 yu4;与会 yu4 hui4;降落 jiang4 luo4;投降 tou2 xiang2;干活 gan4 huo2;干吗 gan4 ma2
干嘛 gan4 ma2;甚么 shen2 me5;为人 wei2 ren2;载着 zai4 zhe5;孙子兵法 sun1 zi3 bing1 fa3;空调 kong1 tiao2;调到 tiao2 dao4;调成 tiao2 cheng2;调高 tiao2 gao1;调低 tiao2 di1;干净 gan1 jing4;薄弱 bo2 ruo4;薄荷 bo4 he5;剥削 bo1 xue1;削皮 xiao1 pi2;血淋淋 xie3 lin1 lin1;流血 liu2 xie3;吐蕃 tu3 bo1;单于 chan2 yu2;可汗 ke4 han2;大夫 dai4 fu5
天长地久 tian1 chang2 di4 jiu3;得不偿失 de2 bu4 chang2 shi1;得力 de2 li4;所得 suo3 de2;所得税 suo3 de2 shui4;求得 qiu2 de2;多劳多得 duo1 lao2 duo1 de2;怎么着 zen3 me5 zhe5;这么着 zhe4 me5 zhe5
用不着 yong4 bu5 zhao2;反倒 fan3 dao4;一哄而散 yi1 hong4 er2 san4;呜咽 wu1 ye4;处理不当 chu3 li3 bu4 dang4;使用不当 shi3 yong4 bu4 dang4;操作不当 cao1 zuo4 bu4 dang4;不当行为 bu4 dang4 xing2 wei2
供大家 gong1 da4 jia1;供参考 gong1 can1 kao3;供选择 gong1 xuan3 ze2;供您 gong1 nin2;供你 gong1 ni3;供我 gong1 wo3;供人 gong1 ren2
理发 li3 fa4;理发店 li3 fa4 dian4;和面 huo2 mian4;和好面 huo2 hao3 mian4;切到 qie1 dao4;切块 qie1 kuai4;切片 qie1 pian4;切丝 qie1 si1;切成 qie1 cheng2;切碎 qie1 sui4
切好 qie1 hao3;倒入 dao4 ru4;倒进 dao4 jin4;倒掉 dao4 diao4;倒出 dao4 chu1;盛出 cheng2 chu1;盛入 cheng2 ru4;盛进 cheng2 jin4;盛起 cheng2 qi3;应注意 ying1 zhu4 yi4;应尽快 ying1 jin3 kuai4
应及时 ying1 ji2 shi2;应避免 ying1 bi4 mian3;么么哒 me5 me5 da1;幺幺哒 me5 me5 da1;曾国藩 zeng1 guo2 fan1;曾志伟 zeng1 zhi4 wei3;曾巩 zeng1 gong3;曾参 zeng1 shen1;任正非 ren2 zheng4 fei1
任达华 ren2 da2 hua2;任贤齐 ren2 xian2 qi2;单田芳 shan4 tian2 fang1;查良镛 zha1 liang2 yong1;华罗庚 hua4 luo2 geng1;朴槿惠 piao2 jin3 hui4;解晓东 xie4 xiao3 dong1
厦门 xia4 men2;大厦 da4 sha4;六安 lu4 an1;蚌埠 beng4 bu4;台州 tai1 zhou1;丽水 li2 shui3;番禺 pan1 yu2;东莞 dong1 guan3;浙江 zhe4 jiang1;歌剧院 ge1 ju4 yuan4;尽管 jin3 guan3;尽快 jin3 kuai4
东西方 dong1 xi1 fang1;东西南北 dong1 xi1 nan2 bei3;地道战 di4 dao4 zhan4;女儿 nv3 er2;儿子 er2 zi5;儿童 er2 tong2;婴儿 ying1 er2;幼儿 you4 er2;孤儿 gu1 er2;胎儿 tai1 er2;儿女 er2 nv3
举行 ju3 xing2;实行 shi2 xing2;执行 zhi2 xing2;进行 jin4 xing2;推行 tui1 xing2;暂行 zan4 xing2;试行 shi4 xing2;集中 ji2 zhong1;严重 yan2 zhong4;注重 zhu4 zhong4;重大 zhong4 da4;房间 fang2 jian1;
类似 lei4 si4;相似 xiang1 si4;近似 jin4 si4;有着 you3 zhe5;随着 sui2 zhe5;照着 zhao4 zhe5;沿着 yan2 zhe5;巨大 ju4 da4;假发票 jia3 fa1 piao4;节目 jie2 mu4;题目 ti2 mu4;项目 xiang4 mu4;科目 ke1 mu4;
栏目 lan2 mu4;剧目 ju4 mu4;数目 shu4 mu4;书目 shu1 mu4;出任 chu1 ren4;担任 dan1 ren4;现任 xian4 ren4;前任 qian2 ren4;首任 shou3 ren4;连任 lian2 ren4;兼任 jian1 ren4;继任 ji4 ren4;军区 jun1 qu1;社区 she4 qu1;
镇区 zhen4 qu1;城区 cheng2 qu1;地区 di4 qu1;小区 xiao3 qu1;市区 shi4 qu1;校区 xiao4 qu1;景区 jing3 qu1;分配给 fen1 pei4 gei3;提供给 ti2 gong1 gei3;亲自 qin1 zi4;不少 bu4 shao3;和解 he2 jie3;讲解 jiang3 jie3;
了解 liao3 jie3;还好 hai2 hao3;可供 ke3 gong1;供餐 gong1 can1;供销 gong1 xiao1;夹着 jia1 zhe5;夹在 jia1 zai4;都得到了 dou1 de2 dao4 le5;又得到了 you4 de2 dao4 le5;就得到了 jiu4 de2 dao4 le5;也得到了 ye3 de2 dao4 le5;还得到了 hai2 de2 dao4 le5;印刷量 yin4 shua1 liang4;为主要 wei2 zhu3 yao4;为主题 wei2 zhu3 ti2;为主体 wei2 zhu3 ti3;为主流 wei2 zhu3 liu2;为主动 wei2 zhu3 dong4;为主线 wei2 zhu3 xian4;调整 tiao2 zheng3;调节 tiao2 jie2;为核心 wei2 he2 xin1;为目标 wei2 mu4 biao1;为目的 wei2 mu4 di4;为代表 wei2 dai4 biao3;为首要 wei2 shou3 yao4;崭露 zhan3 lu4;数万人 shu4 wan4 ren2;调配人手 diao4 pei4 ren2 shou3;车行驶 che1 xing2 shi3;应试 ying4 shi4;应景 ying4 jing3;效应 xiao4 ying4;充数 chong1 shu4;西数 xi1 shu4;高数 gao1 shu4;级数 ji2 shu4
便宜行事 bian4 yi2 xing2 shi4;结果子 jie1 guo3 zi5;结出 jie1 chu1;结满 jie1 man3;壳子 ke2 zi5;折本 she2 ben3;虚与委蛇 xu1 yu3 wei1 yi2;委蛇 wei1 yi2;头昏脑涨 tou2 hun1 nao3 zhang4;单雄信 shan4 xiong2 xin4;有着火的 you3 zhao2 huo3 de5;数数看 shu3 shu5 kan4;重重地 zhong4 zhong4 de5;发量 fa4 liang4;发质 fa4 zhi4;发型 fa4 xing2;发色 fa4 se4;发际线 fa4 ji4 xian4;发丝 fa4 si1;和泥 huo2 ni2;行员 hang2 yuan2;行规 hang2 gui1;量大从优 liang4 da4 cong2 you1
回调函数 hui2 diao4 han2 shu4;回调 hui2 diao4;调查 diao4 cha2;运行情况 yun4 xing2 qing2 kuang4;得心应手 de2 xin1 ying4 shou3;先到先得 xian1 dao4 xian1 de2;内卷 nei4 juan3;弹幕 dan4 mu4;沉没 chen2 mo4;挂载 gua4 zai4
板载 ban3 zai4;加载 jia1 zai4;负载 fu4 zai4;搭载 da1 zai4;装载 zhuang1 zai4;车载 che1 zai4;漂亮 piao4 liang5;要求 yao1 qiu2;充分 chong1 fen4;转轴 zhuan4 zhou2;转速 zhuan4 su4;平铺 ping2 pu1;铺设 pu1 she4
尽可能 jin3 ke3 neng2;尽早 jin3 zao3;尽量 jin3 liang4;当时 dang1 shi2;当班 dang1 ban1;在劫难逃 zai4 jie2 nan2 tao2;难点 nan2 dian3;难以 nan2 yi3;兴趣 xing4 qu4;感兴趣 gan3 xing4 qu4;内行人 nei4 hang2 ren2
模具 mu2 ju4;帖子 tie3 zi5;跟帖 gen1 tie3;发帖 fa1 tie3;回帖 hui2 tie3;挑战 tiao3 zhan4;鬼使神差 gui3 shi3 shen2 chai1;切断 qie1 duan4;发起 fa1 qi3;强劲 qiang2 jing4;校验 jiao4 yan4;校对 jiao4 dui4;发箍 fa4 gu1;洗发 xi3 fa4;行数 hang2 shu4
`;

/** Words whose last syllable is neutral. */
const NEUTRAL =
  '朋友 东西 先生 太太 学生 告诉 喜欢 漂亮 认识 衣服 时候 意思 地方 眼睛 耳朵 窗户 名字 客气 生意 消息 休息 明白 舒服 热闹 故事 事情 麻烦 月亮 头发 关系 清楚 丈夫 ' +
  '脑袋 豆腐 葡萄 萝卜 骆驼 玻璃 粮食 打听 收拾 护士 爸爸 妈妈 哥哥 姐姐 弟弟 妹妹 爷爷 奶奶 叔叔 舅舅 姑姑 宝宝 娃娃 星星 谢谢 什么 怎么 这么 那么 多么 要么 人家 ' +
  '咱们 知识 聪明 糊涂 疙瘩 暖和 凉快 结实 答应 照顾 打扮 打算 本事 比方 部分 裁缝 称呼 出息 耽误 灯笼 点心 动静 队伍 高粱 胳膊 工夫 功夫 姑娘 规矩 闺女 ' +
  '行李 和尚 核桃 胡萝卜 火候 机灵 见识 交情 街坊 戒指 精神 窟窿 阔气 喇叭 老实 老婆 冷清 篱笆 厉害 利落 力气 粮食 马虎 买卖 毛病 媒人 门道 棉花 苗条 名堂 蘑菇 木匠 ' +
  '能耐 年成 念叨 牌楼 朋友 脾气 便宜 婆婆 欺负 亲戚 勤快 情形 拳头 热乎 软和 扫帚 嫂嫂 商量 上司 烧饼 少爷 牲口 石榴 使唤 算计 岁数 特务 体面 跳蚤 铁匠 头发 挖苦 ' +
  '外甥 晚上 早上 委屈 稳当 稀罕 媳妇 喜欢 下巴 吓唬 先生 乡下 相声 笑话 兄弟 心思 秀才 学问 丫头 衙门 哑巴 胭脂 烟筒 钥匙 衣裳 应酬 冤枉 云彩 扎实 在乎 张罗 招呼 ' +
  '折腾 芝麻 指甲 主意 转悠 庄稼 状元 祖宗 嘴巴 作坊 琢磨 馄饨 包袱 巴掌 扁担 别扭 簸箕 苍蝇 柴火 道士 嘀咕 对付 风筝 福气 甘蔗 骨头 寡妇 官司 棺材 ' +
  '念头 罐头 枕头 馒头 木头 石头 舌头 前头 后头 里头 外头 上头 丫头 锄头 苦头 甜头 劲头 看头 盼头 浪头 跟头 狐狸 蛤蟆 琵琶 玫瑰 葫芦 伙计 家伙 护士 尾巴 师傅 ' +
  '利索 牢骚 毛病 迷糊 名字 佩服 屁股 清楚 认识 软和 时辰 舒坦 疏忽 思量 挑剔 痛快 吐沫 唾沫 窝囊 虾米 新鲜 行当 休息 絮叨 阎王 养活 匀称 帐篷 正经';

export type Syllables = readonly string[];

/** Words that pinyin-pro reads otherwise than other dictionaries; see the card beside it. */
const TABLE = new URL('../../../../models/mandarin-readings/words.tsv', import.meta.url);

/** No word with a reading is longer. */
export const LONGEST_WORD = 8;

let readings: ReadonlyMap<string, Syllables> | null = null;

/** The words with a reading of their own; try longer ones first. Opened at the first use. */
export function readingsOfWords(): ReadonlyMap<string, Syllables> {
  return (readings ??= openReadings());
}

function openReadings(): Map<string, Syllables> {
  const rows = readFileSync(TABLE, 'utf8').trimEnd().split('\n').slice(1);
  const entries = [...rows.map((row) => row.replace('\t', ' ')), ...WORDS.trim().split(/[;\n]/u)];
  return new Map(
    entries.map((entry): [string, Syllables] => {
      const [word = '', ...syllables] = entry.trim().split(' ');
      return [word, syllables];
    }),
  );
}

export const NEUTRAL_LAST: ReadonlySet<string> = new Set(NEUTRAL.split(' '));

/** Surnames that are read differently from the same character in words. */
export const SURNAMES: Readonly<Record<string, string>> = {
  曾: 'zeng1',
  单: 'shan4',
  解: 'xie4',
  任: 'ren2',
  华: 'hua4',
  查: 'zha1',
  仇: 'qiu2',
  区: 'ou1',
  朴: 'piao2',
  盖: 'ge3',
  翟: 'zhai2',
  葛: 'ge3',
  冼: 'xian3',
  缪: 'miao4',
  宁: 'ning4',
  纪: 'ji3',
  乐: 'yue4',
  尉: 'wei4',
  郗: 'xi1',
  么: 'yao1',
};
