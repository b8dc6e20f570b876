import { scores, type Lexicon } from './lexicon.ts';

const PARTICLES =
  /(?:에서는|에서도|으로는|이라고|라고|까지|부터|에서|에게|한테|께서|으로|하고|처럼|보다|마다|이나|이랑|랑|은|는|이|가|을|를|에|로|와|과|도|만|의|나|요)$/u;
/** Longest compared stem: verbs change at their end. */
const STEM_SYLLABLES = 2;
const STOP_STEMS = new Set(
  '그리 그래 그런 그러 근데 하지 아무 어쨌 저는 제가 나는 내가 우리 여러 여러분 오늘 어제 이번 지금 진짜 정말 사실 조금 많이 너무 아주 그냥 다시 다음 때문 이거 그거 저거 이게 그게 저게 것이 것을 거예 있어 있는 있습 있으 있네 있을 없어 없는 하는 해서 했어 합니 하고 해요 하면 되는 돼요 됩니 됐어 같은 같아 이런 저런 어떤 무슨 모두 모든 다들 영상 구독 좋아 댓글 안녕 감사 이야 얘기 생각 사람 한번 하나 처음 자꾸 물론 아시 보고 봤어 보니 라는 거든 이렇 그렇 저렇 어떻 왜 네 자 그 이 저 또 더 안 못 잘 좀 다 꼭 딱 참'.split(
    ' ',
  ),
);

const OPENERS = scores({
  '그래서 그런데 근데 하지만 그러나 그리고 아무튼 어쨌든 그럼 자 네 다음은 그러다가 물론 특히 사실 그러면 먼저': 1.6,
  '저는 제가 저도 우리 오늘은 이번 이제 만약': 0.6,
});

export const KOREAN: Lexicon = {
  spaced: true,
  separator: ' ',
  fullStop: '.',
  comma: ',',
  sentenceLength: { typical: 9, max: 28 },
  boundaries: { model: 'korean', reading: 'word endings' },
  opens: (word) => OPENERS.get(word) ?? 0,
  closes: (word) =>
    /(?:니다|니까|요|죠|까|네|군|거든|세요|래)$/u.test(word)
      ? 2.5
      : /(?:[았었했였겠]다|는다|한다)$/u.test(word)
        ? 1.5
        : -1.2,
  units: (sentence) =>
    (sentence.match(/[\p{Script=Hangul}]+|[a-z][a-z\d'-]+/gu) ?? [])
      .map((word) => {
        const bare = word.length > 2 ? word.replace(PARTICLES, '') : word;
        return bare.slice(0, STEM_SYLLABLES);
      })
      .filter((stem) => stem.length > 1 && !STOP_STEMS.has(stem)),
  courtesy:
    /구독|좋아요(?:는|를|와| 눌)|알림 설정|댓글|안녕하세요|안녕히|찾아와 주셔서|감사합니다|다음 주에|다음 시간|다음 영상|또 만나|여기까지|반갑습니다/u,
  substance:
    /해야|하세요|으세요|십시오|습니다|좋습|좋아요$|중요|핵심|때문|먼저|반드시|꼭|하면|으면|려면|하니까|효과|방법|원인|이유|도움|보다|매일|최소|적어도|이상|이하|정도|됩니다/gu,
  anecdote:
    /저는|제가|저도|제 |나는|우리 |친구|동생|엄마|아빠|할머니|아주머니|선생님|었어요|았어요|했어요|더라고요|거든요|였어요|셨어요|그날|한번은/gu,
  aside: /하하|농담|솔직히|진짜|아무튼|어쨌든|네요|잖아요|아시죠|카메라|그런가|글쎄|웃/gu,
  number:
    /\d+|[십백천만]|절반|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무|서너)\s?(?:두\s)?(?:시간|시|개|잔|달|번|명|배|분|주|살)|[일이삼사오육칠팔구]\s?(?:도|분|년|주|월|퍼센트)/gu,
  question: /[?？]\s*$|(?:까요|나요|을까|계시죠|죠)[?.\s]*$/u,
  dangling: /^(?:그[래런러리게것 ]|그거|그건|그게|이[렇런게것 ]|이거|이건|근데|하지만|물론|또)/u,
};
