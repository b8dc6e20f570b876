/** Frequent words of languages whose voices read them, a language a line. */
const WORDS: Readonly<Record<string, string>> = {
  fi: 'talo vesi päivä ihminen kaupunki metsä lapsi koulu kirja ystävä aurinko ilta aamu juna matka ruoka leipä maito kala lintu järvi saari tuuli sade lumi puu kukka tie ovi ikkuna pöytä tuoli huone kirje sana kieli nimi maa meri taivas tähti yö viikko vuosi kesä talvi syksy kevät kauppa raha',
  it: 'casa acqua giorno uomo città bosco bambino scuola libro amico sole sera mattina treno viaggio pane latte pesce uccello lago isola vento pioggia neve albero fiore strada porta finestra tavolo sedia stanza lettera parola lingua nome terra mare cielo stella notte settimana anno estate inverno autunno primavera negozio soldi',
  ca: 'casa aigua dia home ciutat bosc nen escola llibre amic sol vespre matí tren viatge pa llet peix ocell llac illa vent pluja neu arbre flor carrer porta finestra taula cadira habitació carta paraula llengua nom terra mar cel estrella nit setmana any estiu hivern tardor primavera botiga diners',
  ru: 'дом вода день человек город лес ребёнок школа книга друг солнце вечер утро поезд дорога хлеб молоко рыба птица озеро остров ветер дождь снег дерево цветок улица дверь окно стол стул комната письмо слово язык имя земля море небо звезда ночь неделя год лето зима осень весна магазин деньги хорошо',
  de: 'Haus Wasser Tag Mensch Stadt Wald Kind Schule Buch Freund Sonne Abend Morgen Zug Reise Brot Milch Fisch Vogel See Insel Wind Regen Schnee Baum Blume Straße Tür Fenster Tisch Stuhl Zimmer Brief Wort Sprache Name Erde Meer Himmel Stern Nacht Woche Jahr Sommer Winter Herbst Frühling Laden Geld',
  fr: 'maison eau jour homme ville forêt enfant école livre ami soleil soir matin train voyage pain lait poisson oiseau lac île vent pluie neige arbre fleur rue porte fenêtre table chaise chambre lettre parole langue nom terre mer ciel étoile nuit semaine année été hiver automne printemps magasin argent',
  es: 'casa agua día hombre ciudad bosque niño escuela libro amigo sol tarde mañana tren viaje pan leche pescado pájaro lago isla viento lluvia nieve árbol flor calle puerta ventana mesa silla cuarto carta palabra lengua nombre tierra mar cielo estrella noche semana año verano invierno otoño primavera tienda dinero',
  vi: 'nhà nước ngày người thành phố rừng trẻ trường sách bạn mặt trời chiều sáng tàu đường bánh sữa cá chim hồ đảo gió mưa tuyết cây hoa cửa bàn ghế phòng thư lời tên đất biển trời sao đêm tuần năm hè đông thu xuân chợ tiền',
  id: 'rumah air hari orang kota hutan anak sekolah buku teman matahari sore pagi kereta jalan roti susu ikan burung danau pulau angin hujan salju pohon bunga pintu jendela meja kursi kamar surat kata bahasa nama tanah laut langit bintang malam minggu tahun musim panas dingin toko uang',
  sv: 'hus vatten dag människa stad skog barn skola bok vän sol kväll morgon tåg resa bröd mjölk fisk fågel sjö ö vind regn snö träd blomma gata dörr fönster bord stol rum brev ord språk namn jord hav himmel stjärna natt vecka år sommar vinter höst vår affär pengar',
  tr: 'ev su gün insan şehir orman çocuk okul kitap arkadaş güneş akşam sabah tren yol ekmek süt balık kuş göl ada rüzgar yağmur kar ağaç çiçek sokak kapı pencere masa sandalye oda mektup söz dil ad toprak deniz gök yıldız gece hafta yıl yaz kış güz bahar dükkan para',
  pl: 'dom woda dzień człowiek miasto las dziecko szkoła książka przyjaciel słońce wieczór rano pociąg podróż chleb mleko ryba ptak jezioro wyspa wiatr deszcz śnieg drzewo kwiat ulica drzwi okno stół krzesło pokój list słowo język imię ziemia morze niebo gwiazda noc tydzień rok lato zima jesień wiosna sklep',
};

/** The languages whose words are listed here. */
export const WORD_LANGUAGES: readonly string[] = Object.keys(WORDS);

/** A made-up sentence of five to nine words. */
export function wordsOf(language: string, random: () => number): string {
  const words = (WORDS[language] ?? '').split(' ');
  const count = 5 + Math.floor(5 * random());
  return Array.from({ length: count }, () => words[Math.floor(random() * words.length)]).join(' ');
}

/** The same words with a pause after each, as recordings of single words have. */
export const apart = (text: string): string => text.replaceAll(' ', '. ');
