import { CANTONESE_TALK } from './texts/cantonese.ts';
import { automatic, manual, type Video } from './videos.ts';

/** Videos whose captions can be had. */
export const TALKS = {
  cantoneseTalk: {
    id: 'yueTalk0001',
    does: 'A talk in Cantonese with captions in spoken wording',
    expects: 'success',
    title: '最後一間修船廠',
    tracks: [manual('Cantonese (Hong Kong)', 'yue-HK', CANTONESE_TALK)],
    says: '大家好，歡迎收聽今日嘅節目。',
  },
  cantoneseAutomatic: {
    id: 'yueAsr00001',
    does: 'The same talk with automatic captions only',
    expects: 'success',
    title: '最後一間修船廠（自動字幕）',
    tracks: [automatic('Cantonese', 'yue', CANTONESE_TALK)],
  },
} as const satisfies Record<string, Video>;
