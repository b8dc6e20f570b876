import type { SummaryLanguage } from '@jyutsing/contracts/summarizer';

/**
 * Abstractive summaries of the talks in transcripts/development, as a language model writes them,
 * by transcript and summary language. Chinese talks have both, as their vocabulary differs.
 */
export const ABSTRACTS: Readonly<Record<string, Readonly<Partial<Record<SummaryLanguage, string>>>>> = {
  'cmn-bookshop': {
    mandarin:
      '一位县城书店老板分享了扭亏为盈的经验。最初单纯卖书导致大额亏损，后来他发现当地家长最需要的是放学后的托管服务，于是把二楼改成看护孩子的空间，如今这部分占了大部分收入，也带动了图书销售。此外，店里还出售本地特色书籍和自编小册子。他认为这种模式难以复制到别的县城，关键在于与孩子们建立的信任。',
    cantonese:
      '呢位書店老闆分享佢點樣喺縣城將一間蝕錢嘅書店變成賺錢。佢發現家長最需要放學之後有人睇住啲小朋友，於是將二樓改成託管班，收入佔咗全店六成，仲帶旺埋賣書嘅生意。佢亦都賣本地題材嘅書同自己編嘅小冊子。',
  },
  'cmn-phone': {
    mandarin:
      '这是一段手机评测。作者认为这款手机白天的摄影效果可媲美高价旗舰机，但夜间长焦表现很差。续航不错，用原装充电器充电很快。缺点包括屏幕低频调光容易伤眼、在地下车库信号不稳定，以及更换后盖价格偏高。系统更新之后广告可以关闭。',
    cantonese:
      '呢條片評測一部平價手機：日頭影相同旗艦機差唔多，但係夜晚長焦鏡頭好差。電池夠用，要用返原廠充電器先夠快。缺點係屏幕調光頻率低會眼攰，喺停車場同𨋢入面收得差，換背蓋都唔平。',
  },
  'cmn-quake': {
    mandarin:
      '视频介绍了科学家如何利用地震波了解地球内部结构。由于横波无法穿过液体，人们推断出外核是液态的；丹麦地震学家莱曼又根据微弱的信号发现了固态内核。地幔虽然是固体，却会极其缓慢地流动。通过分析波速的差异，研究者可以描绘地下的冷热分布，这种方法也被用来研究火星。',
    cantonese:
      '影片講科學家點樣靠地震波睇到地球入面。橫波過唔到液體，所以知道外核係液態；萊曼後來搵到內核係固態嘅證據。地幔雖然係石頭，但係會好慢咁流動。用波速快慢可以畫出地底嘅立體圖，火星都用過同一個方法。',
  },
  'cmn-tea': {
    mandarin:
      '本期节目讲解茶叶颜色的由来。不同种类的茶其实出自同一种植物，区别在于采摘后的加工，尤其是氧化的程度。绿茶通过高温炒制阻止氧化，红茶则完全氧化，乌龙茶介于两者之间，白茶只需晾干。主持人还建议根据茶的种类选择不同水温冲泡。',
    cantonese:
      '今集講茶葉點解有唔同顏色。綠茶、紅茶同烏龍茶都係同一種茶樹，分別在於採摘之後點樣處理。綠茶用高溫炒停咗氧化，紅茶就氧化到底，烏龍茶氧化一半，白茶晾乾就得。沖茶嘅水溫亦都要跟住茶嚟揀。',
  },
  'cmn-words': {
    mandarin:
      '主讲人分享了自己提高英语词汇量的方法，强调间隔复习比一次性反复背诵更有效。她建议主动回忆而不是盯着释义看，把生词放进自己造的句子中学习，适量了解常见词根，并控制每天新词的数量。同时要结合发音记忆，最好在睡前背、起床后复习。',
    cantonese:
      '講者分享點樣背英文單詞：最緊要係間隔重複，隔幾日再複習。背嘅時候要遮住答案自己諗，將單詞擺喺自己作嘅句子入面。詞根識幾十個就夠，每日新詞唔好超過三十個，要跟住發音讀出聲，瞓覺之前背，第二朝再溫。',
  },
  'eng-canal': {
    english:
      'The narrator, who lives on a narrowboat, explains how canal locks work. Because water stays flat, boats have to be raised and lowered in stages inside a chamber with gates at each end. The gates form a V shape so that water pressure seals them. Locks use enormous amounts of water, which is why reservoirs and side ponds were built. Eventually railways replaced the canals.',
  },
  'eng-compost': {
    english:
      'Ruth gives practical advice on making compost at her allotment. She recommends mixing about twice as much dry brown material as green, keeping the heap large enough to heat up, and turning it every fortnight. Wet, smelly heaps can be fixed with cardboard. Meat and dairy should be avoided since they attract rats, and the finished compost should be spread over the soil in spring.',
  },
  'eng-flood-radio': {
    english:
      'A radio discussion looks at how a new flood barrier performed during a record storm surge. Although it protected the old town, one gate got stuck because of mud, and some streets still flooded from a stream. Critics point to the high cost and to the delay in buying pumps. Experts warn that rising seas mean the barrier will have to close so often that parts of the town may eventually be abandoned.',
  },
  'eng-headphones': {
    english:
      'This review covers a pair of wireless noise-cancelling headphones. The default sound has too much bass, but noise cancelling is excellent on planes and trains, less so against office chatter. Battery life is strong and the physical buttons are easy to use. Drawbacks are the tight fit for people with glasses and ear pads that cannot be replaced.',
  },
  'eng-potato': {
    english:
      "The lecture traces the history of the potato from the Andes, where the Inca freeze-dried it, to Europe. It argues that famine and war rather than royal promotion persuaded farmers to plant it. Because it yielded far more food per acre than wheat, it fuelled population growth and industrialisation. Ireland's dependence on one variety led to the catastrophic famine of the 1840s.",
  },
  'eng-sermon': {
    english:
      'The preacher reflects on forgiveness, using the parable of the unforgiving servant. Forgiving does not mean pretending the harm never happened or trusting someone blindly; it means giving up the debt. Holding grudges hurts the person who carries them. Forgiveness begins with a decision, and feelings follow later.',
  },
  'jpn-camera': {
    japanese:
      '中古カメラを選ぶときの注意点を紹介する動画です。費用がかさむのはレンズであり、シャッター回数の多い本体は避けるべきだと説明しています。カビは懐中電灯で確認でき、保管には密閉容器と乾燥剤が有効です。個人売買よりも保証付きの店で買い、購入後すぐに動作を確かめることを勧めています。',
  },
  'jpn-cycling': {
    japanese:
      '自転車通勤を一年間続けた体験談です。交通費が節約でき、体重や血圧も改善したと語っています。安全な道を事前に試すこと、雨の日は電車を使うこと、早めに到着して着替えることを勧めています。また、交差点での位置取りや昼間のライト点滅、定期的な整備の大切さにも触れています。',
  },
  'jpn-edo': {
    japanese:
      '江戸という巨大都市の食を支えた物流について解説しています。船による米の輸送が航路の整備で大きく発展し、上方から酒も運ばれました。周辺の農村は下肥を肥料として買い取り、野菜を供給しました。一方で白米中心の食事は脚気を広めました。寿司や天ぷらは屋台から生まれたものです。',
  },
  'jpn-island': {
    japanese:
      '離島に移住した人が島の暮らしを紹介しています。船が止まると物資が届かないため食料の備蓄が欠かせません。高校がなく若者は島を離れますが、近年は移住者が増えています。光回線のおかげで在宅勤務も可能です。医療や住宅の不足といった課題はあるものの、助け合いのある暮らしに魅力を感じているそうです。',
  },
  'kor-bakery': {
    korean:
      '한 빵집 주인이 가게를 오래 운영하기 위한 방법을 이야기합니다. 빵 종류를 크게 줄여 버리는 양을 없앴고, 이스트를 적게 넣어 저온에서 오래 발효시킵니다. 국산 밀을 섞어 쓰고, 전날 빵은 할인해서 판매합니다. 젊은 창업자들에게 무리하지 말고 쉬면서 일하라고 조언합니다.',
  },
  'kor-bees': {
    korean:
      '이 영상은 꿀벌이 새로운 집을 정하는 과정을 설명합니다. 여왕벌이 아니라 정찰벌들이 후보지를 찾아보고 춤으로 방향과 거리를 알립니다. 좋은 장소일수록 춤이 길어져 더 많은 벌이 모이고, 일정한 수가 모이면 결정이 내려집니다. 이런 방식 덕분에 벌 떼는 대체로 가장 좋은 장소를 선택합니다.',
  },
  'kor-kimchi': {
    korean:
      '김장 김치를 담그는 방법을 단계별로 알려 줍니다. 좋은 배추를 고르는 법, 소금물에 절이는 시간과 비율, 양념을 만들고 바르는 요령을 설명합니다. 통은 가득 채우지 말고 공기를 빼야 하며, 실온에 하루 둔 뒤 냉장 보관해 2주 정도 익히면 맛있다고 합니다.',
  },
  'kor-laptop': {
    korean:
      '가벼운 노트북을 사용해 본 후기입니다. 휴대성과 키보드, 배터리 시간은 만족스럽지만 화면 반사가 심하고 영상 편집을 오래 하면 발열로 성능이 떨어집니다. 충전 단자의 위치와 메모리를 나중에 추가할 수 없다는 점도 단점입니다. 문서 작업과 이동이 많은 사람에게 추천합니다.',
  },
  'yue-coffee': {
    cantonese:
      '呢條片教初學者點樣拍手沖咖啡。講者認為磨豆機最值得投資，咖啡豆要新鮮，並且介紹咗粉水比例、唔同烘焙程度嘅水溫、沖洗濾紙、悶蒸同分段注水嘅步驟。剩返嘅豆應該密封存放，唔好放入雪櫃。',
    mandarin:
      '本视频为初学者讲解手冲咖啡的要点：优先购买好的磨豆机，使用新鲜烘焙的咖啡豆，掌握粉水比例与水温，先冲洗滤纸，再进行闷蒸和分次注水。剩余的豆子应密封保存在阴凉处，不要放进冰箱。',
  },
  'yue-ferry': {
    cantonese:
      '講座回顧香港渡輪嘅歷史。由十九世紀末開始營運，到六十年代達到高峰，之後海底隧道、地鐵同填海令乘客大減。講者亦介紹咗船嘅設計，同埋渡輪公司而家點樣靠租舖同包船維持收入。',
    mandarin:
      '讲座回顾了香港渡轮一百多年的历史。渡轮在六十年代最为兴盛，后来海底隧道、过海地铁和填海工程使客流大幅下降。讲者还介绍了船只的设计和高速双体船的油耗问题，如今公司主要依靠码头商铺租金和包船收入。',
  },
  'yue-fish': {
    cantonese:
      '影片示範點樣蒸魚：揀魚要望眼同魚鰓，劏好之後清走血線，墊高條魚令佢受熱均勻，水滾先落鑊，按重量計時間，熄火再焗一陣。最後倒走碟入面嘅水，淋滾油同豉油。',
    mandarin:
      '视频介绍了清蒸鱼的做法：挑选眼睛凸起、鱼鳃鲜红的鱼，刮掉骨边的血线，用汤匙垫高鱼身，水开后下锅蒸八分钟，关火再焖两分钟，倒掉盘里的水，最后淋上热油和豉油。',
  },
  'yue-hike': {
    cantonese:
      '講者同新手分享夏天行山要注意嘅嘢：帶夠水同補充電解質，一早出發避開最熱嘅時間，著快乾衫，鞋要大少少。出發前要話畀屋企人知路線，遇到緊急情況可以打求救電話，亦要識得分辨中暑。',
    mandarin:
      '讲者介绍新手夏天登山的注意事项：每小时准备半公升水并补充盐分，清早起步、中午前下山，穿快干长袖衣服，鞋子要大半码。出发前把路线告诉家人，没有信号也可以拨打求救电话，还要学会识别中暑。',
  },
  'yue-panel': {
    cantonese:
      '討論會上街市檔主同房署代表就翻新工程爭拗。檔主擔心停業兩年冇收入，賠償又少，又引用其他屋邨嘅例子，話多數檔主返唔到去。佢哋要求分期裝修、保證可以回遷同凍租。',
    mandarin:
      '座谈会讨论了街市翻新计划。摊主担心停业两年没有收入，而且赔偿太少，其他屋邨翻新以后多数摊主无法回迁。他们希望分期装修，并把回迁权和冻结租金写进合约，房署则表示分期会增加成本。',
  },
};
