/** Pairs of a word and its replacement, `头发 頭髮`, separated by `|`. */
declare module 'opencc-js/dict/*' {
  const pairs: string;
  export default pairs;
}
