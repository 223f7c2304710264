import type { Example } from './example.ts'

/** What a search finds and does not find in Chinese. */
export const zh: Example[] = [
  // The first half, written before the rules.
  { text: '清乾隆 青花缠枝莲纹瓷瓶', finds: ['青花', '瓷瓶', '青花 瓷瓶', '缠枝莲', '瓷'] },
  { text: '明代 青花龙纹大碗', finds: ['龙纹', '大碗 龙纹', '龙'], misses: ['瓷瓶', '花瓶'] },
  { text: '红木雕花椅一对', finds: ['红木', '雕花椅', '椅', '红木 一对'], misses: ['雕漆'] },
  { text: '剔红雕漆山水盒', finds: ['雕漆', '剔红', '山水 雕漆', '漆'], misses: ['红木', '山水画'] },
  { text: '设色山水画立轴', finds: ['山水画', '立轴', '山水 立轴', '设色山水'], misses: ['山水畫', '册页'] },
  // Traditional characters are others.
  { text: '墨筆山水畫冊', finds: ['山水畫', '墨筆', '畫冊'], misses: ['山水画', '画册'] },
  { text: '花鸟画册页八开', finds: ['花鸟', '画册', '册页', '花鸟 册页'], misses: ['花瓶', '鸟笼'] },
  { text: '竹制鸟笼', finds: ['鸟笼', '竹制'], misses: ['花鸟'] },
  { text: '虾', maker: '齐白石', finds: ['齐白石', '白石', '齐白石 虾'], misses: ['白玉'] },
  { text: '白玉观音像', finds: ['白玉', '观音', '观音像', '白玉 观音'], misses: ['白石'] },
  { text: '铜鎏金佛像', finds: ['鎏金', '佛像', '铜 佛像', '鎏金佛像'], misses: ['寺'] },
  { text: '怀表，约１８９０年', finds: ['怀表', '1890', '1890年', '怀表 １８９０'], misses: ['钟表'] },
  { text: 'ＡＲＴ ＤＥＣＯ台灯', finds: ['art deco', 'artdeco', 'Art-Deco', '台灯'] },
  { text: '砚台', finds: ['砚台', '砚'], misses: ['台灯'] },
  { text: '丝绸刺绣龙袍', finds: ['刺绣', '龙袍', '丝绸 龙袍'], misses: ['龙纹'] },
  { text: '紫砂壶《竹节》', finds: ['紫砂壶', '紫砂', '竹节', '「竹节」'], misses: ['竹制'] },
  { text: '法国油画“花园”', finds: ['油画', '花园', '法国油画', '法国 花园'], misses: ['花鸟'] },
  // The second half.
  // Phrases, words that are taken away, and one character as a beginning.
  { text: '粉彩花鸟纹盘', finds: ['粉彩', '"花鸟纹"', '花鸟 -画册', '粉'], misses: ['粉彩 -花鸟', '盘龙'] },
  { text: '盘龙铜镜', finds: ['铜镜', '盘龙', '"盘龙铜镜"', '镜'], misses: ['龙盘', '粉彩'] },
  { text: '玉璧', finds: ['玉璧', '玉', '玉璧 -观音'], misses: ['白玉'] },
  { text: '黄花梨圈椅', finds: ['黄花梨', '圈椅', '黄花梨 圈椅', '黄'], misses: ['花鸟', '圈椅 -黄花梨'] },
  { text: '唐三彩马', finds: ['三彩', '唐三彩', '"三彩马"', '唐'], misses: ['"马三彩"'] },
  { text: '徐悲鸿 奔马图', finds: ['徐悲鸿', '奔马', '徐悲鸿 奔马', '奔'], misses: ['"奔马图 徐悲鸿"', '三彩'] },
]
