/** Each text takes about ten seconds to read, and together they have all tones and many onsets. */
export const PROMPTS: readonly string[] = [
  '今朝天氣好清涼，我同媽媽去街市買咗三斤橙同半打雞蛋，跟住搭電車返屋企煮飯。',
  '放工之後，佢哋約咗喺中環碼頭等，一齊坐船過海，去尖沙咀睇燈飾同食海鮮。',
  '呢間茶餐廳開咗四十幾年，最出名係凍檸茶同菠蘿包，朝早六點就有人排隊。',
];
