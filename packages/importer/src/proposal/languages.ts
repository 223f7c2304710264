import { is, type Words } from './patterns.ts'

/** The name of each language in the others. */
export const languages: Words = [
  [
    'nl',
    is(
      'nl nld ned niederl neerl dutch nederlands nederlandse neerlandais neerlandaise niederlandisch holandes olandese holenderski',
    ),
  ],
  [
    'en',
    is(
      'en gb uk us eng engl angl ang english engels engelse englisch englische anglais anglaise ingles inglese angielski angol',
    ),
  ],
  [
    'fr',
    is('fr fra fran franz frz french frans franse francais francaise franzosisch frances francese francuski francia'),
  ],
  [
    'de',
    is(
      'de deu dt dts deut all allem ger german duits duitse deutsch deutsche allemand allemande aleman tedesco niemiecki nemet',
    ),
  ],
  ['es', is('es spa esp span spanish spaans spaanse spanisch espagnol espagnole espanol spagnolo hiszpanski spanyol')],
  ['zh', is('zh cn chinese chinees chinesisch chinois chinoise chino cinese chinski kinai')],
  ['it', is('it ita ital italian italiaans italiaanse italienisch italien italienne italiano wloski olasz')],
  ['pl', is('pl pol poln polish pools poolse polnisch polonais polonaise polaco polacco polski lengyel')],
  ['hu', is('hu hun ung hungarian hongaars hongaarse ungarisch hongrois hongroise hungaro ungherese wegierski magyar')],
]

/** The first letters of languages, which houses write behind a title or a text. */
export const languageLetters: Words = [
  ['nl', is('n')],
  ['en', is('e')],
  ['fr', is('f')],
  ['de', is('d')],
  ['it', is('i')],
]

// Longer words come first.
const chinese: [word: RegExp, english: string][] = [
  [/保留[价價]|底[价價]/g, 'reserve'],
  [/成交[价價]?|落[槌锤]/g, 'hammer'],
  [/[买買](?:家|受人)/g, 'buyer'],
  [/年代|时期|時期/g, 'period'],
  [/备注|備註|电话|電話|邮编|郵編|地址|数量|數量|佣金/g, 'memo'],
  [/最低|低/g, 'low'],
  [/最高|高(?=估)/g, 'high'],
  [/估[价價值](?:下限|低)/g, 'estimate low'],
  [/估[价價值](?:上限|高)/g, 'estimate high'],
  [/估[价價值]|参考[价價]|參考價/g, 'estimate'],
  [/下限/g, 'low'],
  [/上限/g, 'high'],
  [/起[拍标標](?:[价價])?/g, 'starting bid'],
  [/(?:委托|委託)?(?:合同|合约|合約|协议|協議)/g, 'contract'],
  [/委[托託](?:人|方)|[卖賣]家|送拍人/g, 'seller'],
  [/(?:拍品|[图圖][录錄]|[标標]的)(?:编号|編號|序号|序號|号|號)|lot[号號]/gi, 'lot nr'],
  [/(?:[库庫]存|藏品|货品|貨品|物品)(?:编号|編號|号|號)|[货貨][号號]/g, 'inventory nr'],
  [/编号|編號|序号|序號/g, 'nr'],
  [/作者|艺术家|藝術家|作家|品牌|制作者|製作者|[酒]庄|酒莊/g, 'artist'],
  [/分类|分類|类别|類別|门类|門類/g, 'category'],
  [/(?:专场|專場|场次|場次)(?:名称|名稱)/g, 'session name'],
  [/专场|專場|场次|場次/g, 'session'],
  [/(?:拍品|作品)?(?:名称|名稱|标题|標題|品名)|酒名/g, 'title'],
  [/(?:拍品|作品)?(?:描述|说明|說明|简介|簡介|介绍|介紹|详情|詳情)/g, 'description'],
  [/尺寸|规格|規格|高度|宽度|寬度|深度|长度|長度|直径|直徑/g, 'size'],
  [/重量|净重|淨重/g, 'weight'],
  [/品相|液位|状况|狀況|保存/g, 'condition'],
  [/[图圖](?:片|像)|照片/g, 'photo'],
  [/(?:开始|開始|开拍|開拍)(?:时间|時間|日期)?/g, 'start time'],
  [/(?:结束|結束|截止|截拍)(?:时间|時間|日期)?/g, 'end time'],
  [/运送|運送|配送|运输|運輸|物流/g, 'delivery'],
  [/拍[卖賣][会會]?/g, 'auction'],
  [/[长長宽寬高深]/g, 'height'],
  [/英文/g, 'english'],
  [/中文/g, 'chinese'],
]

/** Translates the Chinese words of a heading into English. They have no spaces between them. */
export const translateChinese = (heading: string): string =>
  /\p{Script=Han}/u.test(heading)
    ? chinese.reduce((text, [word, english]) => text.replaceAll(word, ` ${english} `), heading)
    : heading
