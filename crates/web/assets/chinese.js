// The words of the page in Chinese, and what the program says.

/** The words in Chinese. */
const words = {
  puzzle: "谜题", language: "语言", theme: "外观", auto: "自动", light: "浅色", dark: "深色",
  board: "棋盘", playTab: "游玩", editTab: "编辑", compareTab: "比较",
  startTitle: "最少要走几步？", startAbout: "来玩吧：页面会证明最少需要几步，并给出一个最短解。", goOn: "继续",
  texts: "文本与文件", share: "分享", instances: "题目", search: "名称或步数",
  order: "顺序", "order.listed": "分组", "order.fewest": "步数由少到多", "order.most": "步数由多到少", unsolved: "只看未解的", collection: "来自文本", ownBoard: "自定义", "option.size": "行数 x 列数",
  "group.classics": "经典", "group.0-level": "零横", "group.1-level": "一横", "group.2-level": "二横", "group.3-level": "三横", "group.4-level": "四横", "group.5-level": "五横",
  cutShort: "走法只保留到仍然合法的那一步；完整的走法在“最近”中。", comma: "、", recent: "最近", kept: "你的解题记录", exportKept: "导出", removeKept: "全部删除", removeSure: "确定全部删除？", menu: "更多",
  undo: "撤销", redo: "重做", hint: "提示", solve: "求解", step: "走这一步", together: "同时移动多只鬼",
  legal: "合法走法", line: "走法记录", place: "第 # 行第 # 列：", cell: "第 # 行第 # 列", black: "黑", white: "白", hue4: "玩家", close: "关闭", move: "步", moves: "步", unsolvable: "无解",
  noMoves: "还没有走过：请在棋盘上拖动。", keysTitle: "按键",
  keys: "拖动棋子，或用 Tab 选择、用方向键移动（按住 Shift 可连续输入一条路径）。U 撤销，R 重做，H 提示。在棋盘之外，方向键前后翻看，空格键播放。",
  solved: "已解开", searching: "搜索中……", loading: "载入中……", stop: "停止", atLeast: "至少", fewest: " #可解，已证明最少",
  noPlan: "已证明：从此处起无解。", keeps: "仍在最短解上", unexamined: "尚未分析", deadEnd: "死路",
  in: "，用了 #", end: "，用了 #；最少 ## 步", endBest: "，用了 #，已证明最少", onward: "下一题", worse: "比最少多 # 步", wasted: "以下走法没有帮助：",
  states: "个状态", more: "未全部列出。", joint: "这里列出的是单只鬼的走法。多只鬼可以同时移动；若其中没有仍在最短解上的走法，就要同时移动多只鬼。", 
  hintPart: "下一步移动有标记的那一个。", hintMove: "下一步：", hintPlan: "最短解已加入“走法记录”。", notProved: "找到的解尚未证明是最短的：",
  plan: "最短解：#", plans: "；共有 # 个", onePlan: "；没有别的最短解", planLimit: "；最短解的个数未知：",
  stopped: "搜索已停止：", limits: "上限由 `fewest serve` 的选项 time 与 memory 设定",
  pageLimits: "此页面最多搜索一分钟、使用 512 MiB 内存；命令行程序没有这些上限", interrupted: "程序即将结束", proved: "已证明：",
  memory: "内存不足", time: "时间用尽", nothing: "没有找到。", showBest: "标出好的走法", 
  textOf: "当前局面的文本", importText: "读入文本", read: "读入", choose: "选择文件",
  drop: "粘贴一个或多个棋盘，或一份走法；也可以选择文件，或将文件拖放到此处。", download: "下载", asText: "走法（文本）",
  asBoard: "棋盘（SVG）", asStrip: "走法（SVG）", asGif: "走法（GIF）", asPage: "走法（网页）",
  copy: "复制", lost: "程序没有响应。", restarted: "程序已重新启动：请打开它新显示的地址。",
  curve: "每一步之后剩余的步数", badSize: "行数与列数，例如 5x4", copied: "已复制", shareAbout: "此链接包含棋盘与全部走法。把它接在此页面任一副本（文件、网站或 `fewest serve`）的地址之后即可打开。",
  sharePage: "打开此地址即可看到棋盘与全部走法。", challenge: "你能用 # 完成吗？",
  damaged: "此链接已损坏，或版本不同。", noSuch: "此处没有该链接的谜题。",
  text: "文本", scenario: "MovingAI 地图的场景（.scen；如果文本是地图）", agents: "鬼的数量", size: "行数 x 列数：", blank: "新棋盘", brushes: "画笔", format: "格式", 
  piece: "棋子", gap: "空位", wall: "墙", goal: "目标", lock: "锁定", gate: "闸门", corridor: "通道", ghost: "鬼", start: "起点",
  metric: "计步方式", rectilinear: "任意路径", straight: "直线", unit: "一格", names: "人名",
  "compare.example": "示例", "compare.here": "当前局面",
  compareText: "两种算法在同一棋盘上逐步搜索。图中是正在扩展的局面：由它生成后继局面。每一行对应步数的一个下界，条形的长度是以它为最好下界期间扩展的状态数。",
  compareAbout: "播放时，两边按相同的已扩展状态数同步前进，条形的比例也相同：好的下界节省的，就是其中一张图少掉的面积。",
  expandedBoard: "正在扩展的局面", "engine.bfs": "广度优先", "engine.bidirectional": "双向", "engine.astar": "A*", "engine.idastar": "IDA*", play: "播放", engine: "算法", expanded: "已扩展", generated: "已生成", duplicates: "重复",
  bound: "下界", answer: "答案",
  halloween: "万圣节后的早晨", "wall-pusher": "推门游戏", klotski: "华容道", "black-white": "黑白棋游戏",
  "klotski.about": "滑动棋子，直到有目标的棋子都到达目标：华容道的各个布局，也可读入任何棋盘", "halloween.about": "把每只鬼送到它的目标；多只鬼可以同时移动，但不能互换位置",
  "wall-pusher.about": "走出迷宫；后面没有另一堵墙的墙可以推动", "black-white.about": "交换相邻的棋子，直到与右边的目标相同",
};

/** What the program says and no puzzle does, one sentence a line, as `learn` reads them. */
const general = `
move %: * = 第 $1 步：$2
step %: * = 第 $1 步：$2
%:%: found *, expected * = 第 $1 行第 $2 列：遇到：$3；应为：$4
found *, expected * = 遇到：$1；应为：$2
row %, column % = 第 $1 行第 $2 列
row % = 第 $1 行
at most % rows = 最多 $1 行
north = 上
east = 右
south = 下
west = 左
the end of the text = 文本结尾
the end of the line = 行尾
this is not a legal move = 这一步不合法
at most 1 MiB = 最多 1 MiB
the answer is cut short = 回答不完整
no instance starts here = 此局面不能作为题目
this position cannot be searched = 此局面不能搜索
there is no instance = 没有题目
the text has no data set = 文本中没有题目
the text has several boards; expected one = 文本中有多个题目；这里只要一个
the plan has no moves = 走法中一步也没有
the moves of a plan, one a line, perhaps below their number, such as * = 走法，每行一步，首行可以是步数，例如 $1
* has no plans as positions = 这个谜题的走法不能写成位置
this instance is too large or cannot be written as a single text = 题目太大，或不能写成一个文本
no move is possible from this position = 此局面没有合法走法
the position is already solved = 此局面已经解开
the text has several data sets; this is the first = 文本中有多个题目；这是第一个
a position can have at most % moves = 一个局面最多 $1 步
expected rows x columns, each from 1 to %, such as * = 应为行数 x 列数，各从 1 到 $1，例如 $2
expected a whole number from % to % = 应为 $1 到 $2 的整数
scenario: * = 场景：$1
the picture would have % x % pixels; the limit is % x % = 图片有 $1 x $2 像素，超出了上限 $3 x $4
\`*\` expands more than % states; use a smaller instance = $1 扩展的状态超过 $2 个；请换一个更小的题目
the page shows boards of at most % parts, not % = 页面最多显示 $1 个部件，而这里有 $2 个
stopped, * = 搜索已停止：$1
out of time = 时间用尽
out of memory = 内存不足
out of states = 状态数已达上限
too large to be encoded = 太大，无法编码
JSON that has no plan * = 没有走法的 JSON
an object of \`solve --json\`* = \`solve --json\` 的对象
`;

const sentences = []; // patterns of what the program says, what may stand in them, and the same in Chinese
const formats = new Map(); // what the formats of puzzles are, with the same in Chinese
/** What may stand for a wildcard: what is quoted does so as a whole, and is no sentence itself. */
const wildcards = { "`*`": "`([^`]*)`", "*": "((?:`[^`]*`|[^`])+?)", "%": "(\\d+)" };
const read = (lines) => {
  for (const line of lines.split("\n").filter(Boolean)) {
    const [english, sentence] = line.split(" = ");
    const kinds = english.match(/`\*`|\*|%/g) ?? [];
    const pattern = english.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll(/`\*`|\*|%/g, (kind) => wildcards[kind]);
    sentences.push([new RegExp(`^${pattern}$`, "s"), kinds, sentence]);
  }
};
const unread = [general]; // until somebody asks for Chinese

/**
 * Learns what a puzzle says: in `chinese` a line has a sentence in English, ` = `, and the same in Chinese, where `*` is any text and `%` a number,
 * and `$1` the first of them in Chinese. After an empty line there is its format.
 */
export const learn = ({ format, chinese }) => {
  const [lines, ...rest] = chinese.split("\n\n");
  unread.push(lines);
  if (rest.length > 0) formats.set(format, rest.join("\n\n"));
};

/** What the program says, in Chinese if there is a sentence for it. */
const said = (text) => {
  unread.splice(0).forEach(read);
  for (const [pattern, kinds, sentence] of sentences) {
    const found = pattern.exec(text);
    if (found) return sentence.replaceAll(/\$(\d)/g, (_, number) => (kinds[number - 1] === "`*`" ? found[number] : said(found[number])));
  }
  return formats.get(text) ?? text;
};

const marks = { ";": "；", ":": "：", ",": "，", ".": "。" };
/** A line that the page has put together, with the marks of Chinese between its parts. What is quoted stays. */
const line = (text) => text.split(/(`[^`]*`)/).map((part, index) => (index % 2 === 1 ? part : part
  .replaceAll(/ \((.*)\)$/g, "（$1）").replaceAll(/([;:,.])(?: |$)/g, (_, mark) => marks[mark]).replaceAll(/(?<=[；：，。…]) /g, ""))).join("");

export const chinese = { words, said, line };
