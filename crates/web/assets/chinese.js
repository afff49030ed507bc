// The words of the page in Chinese, and what the program says.

/** The words in Chinese. */
const words = {
  puzzle: "谜题", language: "语言", theme: "颜色", auto: "自动", light: "浅色", dark: "深色",
  board: "棋盘", playTab: "游玩", editTab: "编辑", compareTab: "比较",
  startTitle: "最少要走几步？", startAbout: "来玩吧：页面会证明最少需要几步，并给出一个最短解。", goOn: "继续",
  texts: "文本与文件", share: "分享", instances: "题目", search: "名称或步数",
  order: "顺序", "order.listed": "分组", "order.fewest": "步数由少到多", "order.most": "步数由多到少", unsolved: "只看未解的", collection: "来自文本", ownBoard: "自定义", "option.size": "行数 x 列数",
  "group.classics": "经典", "group.0-level": "零横", "group.1-level": "一横", "group.2-level": "二横", "group.3-level": "三横", "group.4-level": "四横", "group.5-level": "五横",
  cutShort: "走法保留到此处仍然合法的部分；完整的走法在“最近”中。", comma: "、", recent: "最近", kept: "你的解题记录", exportKept: "导出", removeKept: "全部删除", removeSure: "确定全部删除", menu: "更多",
  undo: "撤销", redo: "重做", hint: "提示", solve: "求解", step: "走这一步", together: "同时移动多个",
  legal: "合法走法", line: "走法记录", place: "第 # 行第 # 列：", row: "行", column: "列", black: "黑", white: "白", hue4: "玩家", close: "关闭", moves: "步", unsolvable: "无解",
  noMoves: "还没有走：拖动一个棋子。", keysTitle: "按键",
  keys: "拖动棋子，或用 Tab 选择、用方向键移动（按住 Shift 可连续输入一条路径）。U 撤销，R 重做，H 提示。在棋盘之外，方向键前后翻看，空格播放。",
  solved: "已解决", searching: "搜索中……", stop: "停止", atLeast: "至少", fewest: " #可解，已证明最少",
  noPlan: "已证明：从此处起无解。", keeps: "仍在最短解上", unexamined: "尚未分析", deadEnd: "死路",
  in: "，用了 #", end: "，用了 #；最少为 ##", endBest: "，用了 #，已证明最少", onward: "下一题", worse: "比最少多 # 步", wasted: "以下走法没有帮助：",
  states: "个状态", more: "未全部列出。", joint: "这里列出的是单个鬼的走法。多个鬼可以同时移动；若此处没有保持最短的走法，则同时移动的走法中有。", 
  hintPart: "下一步移动有标记的棋子。", hintMove: "下一步：", hintPlan: "最短解已加入走法。", notProved: "找到的解尚未证明是最短的：",
  plan: "最短解：#", plans: "；共有 # 个", onePlan: "；没有别的最短解", planLimit: "；最短解的个数未知：",
  stopped: "搜索已停止：", limits: "上限由 `fewest serve` 的选项 time 与 memory 设定",
  pageLimits: "此页面最多搜索一分钟、使用 512 MiB；程序没有这些上限", interrupted: "程序即将结束", "out of states": "状态数已达上限", "too large to be encoded": "太大，无法编码", proved: "已证明：步数",
  memory: "内存不足", time: "时间用尽", "out of memory": "内存不足", "out of time": "时间用尽", nothing: "没有找到。", showBest: "标出好的走法", 
  textOf: "当前局面的文本", importText: "读入文本", read: "读入", choose: "选择文件",
  drop: "粘贴一个或多个棋盘、或一条走法，也可选择文件，或将文件拖放到此处。", download: "下载", asText: "走法（文本）",
  asBoard: "棋盘（SVG）", asStrip: "走法（SVG）", asGif: "走法（GIF）", asPage: "走法（网页）",
  copy: "复制", lost: "程序没有响应。", restarted: "程序已重新启动：请打开它新显示的地址。",
  curve: "每一步之后剩余的步数", badSize: "行数与列数，例如 5x4", copied: "已复制", shareAbout: "其中包含棋盘与整条走法。接在此页面任何一份副本（文件、网站或 `fewest serve`）的地址之后即可打开。",
  sharePage: "打开此地址即可看到棋盘与整条走法。", challenge: "你能用 # 完成吗？",
  damaged: "此链接已损坏，或版本不同。", noSuch: "此处没有该链接的谜题。",
  text: "文本", scenario: "MovingAI 地图的 scenario（如果文本是地图）", agents: "数量", size: "行数 x 列数：", blank: "新棋盘", brushes: "画笔", format: "格式", 
  piece: "棋子", gap: "空格", wall: "墙", goal: "目标", lock: "锁定", gate: "闸门", corridor: "通道", ghost: "鬼", start: "起点",
  metric: "步的算法", rectilinear: "任意路径", straight: "直线", unit: "一格", names: "人名",
  "compare.example": "示例", "compare.here": "当前局面",
  compareText: "两种算法在同一棋盘上逐步搜索。图中是正在扩展的局面：由它生成后继局面。每一行是步数的一个下界，条的长度是以它为最好下界时扩展的状态数。",
  compareAbout: "两边扩展的状态数相同，条的比例也相同：好的下界所节省的，就是其中一张图所缺少的面积。",
  compare: "比较", expandedBoard: "正在扩展的局面", play: "播放", engine: "算法", expanded: "已扩展", generated: "已生成", duplicates: "重复",
  bound: "下界", answer: "答案",
  halloween: "万圣节后的早晨", "wall-pusher": "推墙", klotski: "华容道", "black-white": "黑白棋子移动",
  "klotski.about": "滑动棋子，直到有目标的棋子都到达目标", "halloween.about": "把每个鬼送到它的目标；所有的鬼可以同时移动，但不能互换位置",
  "wall-pusher.about": "走出迷宫；身后没有墙挡住的墙可以推动", "black-white.about": "交换相邻的棋子，直到与右边的目标相同",
  "klotski.piece": "在划过的格上放一个新棋子", "klotski.gap": "清除格上的内容", "klotski.wall": "把格变成墙",
  "klotski.goal": "把棋子拖到它的目标；轻点棋子则取消目标", "klotski.gate": "只有有目标的棋子可以进入这些格", "klotski.lock": "沿一个方向划过棋子，使其只能沿此方向移动；轻点则解锁",
  "halloween.wall": "把格变成墙", "halloween.corridor": "把格变成通道", "halloween.ghost": "从鬼的起点拖到终点；轻点鬼则移除",
  "wall-pusher.wall": "在格的边上放墙，或移除墙", "wall-pusher.start": "设置起点",
  "black-white.piece": "改变棋子的颜色（棋盘或目标）", "black-white.wall": "把格变成墙，或移除墙",
  "noun.text": "文本", "noun.board": "棋盘", "noun.rows": "各行", "noun.code": "编码", "noun.short code": "短编码", "noun.name": "名称",
  "noun.Rush Hour line": "Rush Hour 编码", "noun.level of GNOME Klotski": "GNOME Klotski 关卡", "noun.CSV list of cars": "车辆列表（CSV）",
  "noun.list of cars": "车辆列表", "noun.line of 20 digits": "20 位数字", "noun.JSON object with blocks": "方块（JSON）",
  "noun.data set of the contest": "竞赛数据", "noun.scenario in YAML": "YAML 场景", "noun.map": "地图", "noun.scenario": "scenario", "noun.file of pibt2": "pibt2 文件",
  "noun.numbers": "数字", "noun.drawing": "图形",
};

const directions = { north: "上", east: "右", south: "下", west: "左" };
const axes = { horizontally: "左右", vertically: "上下" };
/** A cell, such as `row 2, column 3`. */
const cell = (text) => text.replace(/row (\d+), column (\d+)/, "第 $1 行第 $2 列");
const at = "(row \\d+, column \\d+)";

/** What the program says, as a pattern, and the same in Chinese: rules that a move breaks, what brushes cannot do, and notes. */
const sentences = [
  [/^(?:move|step) (\d+): (.*)$/, (number, rest) => `第 ${number} 步：${said(rest)}`],
  [/^this is not a legal move$/, () => "这一步不合法"],
  [/^at most 1 MiB$/, () => "最多 1 MiB"],
  [/^no instance starts here$/, () => "此局面不能作为题目"],
  [/^this position cannot be searched$/, () => "此局面不能搜索"],
  [/^there is no instance$/, () => "没有题目"],
  [/^the plan has no moves$/, () => "没有走法"],
  [/^this instance is too large or cannot be written as a single text$/, () => "题目太大，或不能写成一个文本"],
  [/^no move is possible from this position$/, () => "此局面没有可走的步"],
  [/^the position is already solved$/, () => "此局面已解决"],
  [/^there is no piece `(.+)`$/, (piece) => `没有棋子 ${piece}`],
  [/^piece `(.+)` cannot go (\w+) into a gate for other pieces$/, (piece, to) => `${piece} 不能向${directions[to]}进入其他棋子的闸门`],
  [/^piece `(.+)` cannot go (\w+) after (\d+) cells$/, (piece, to, cells) => `${piece} 走 ${cells} 格之后不能再向${directions[to]}走`],
  [/^piece `(.+)` cannot go (\w+)$/, (piece, to) => `${piece} 不能向${directions[to]}走`],
  [/^piece `(.+)` moves (\w+), but is locked (\w+)$/, (piece, to, axis) => `${piece} 不能向${directions[to]}走：它只能${axes[axis]}移动`],
  [/^piece `(.+)` turns, but a straight move goes in one direction$/, (piece) => `${piece} 转弯了，但每步只能沿一个方向`],
  [/^piece `(.+)` moves (\d+) cells, but a unit move is one cell$/, (piece, cells) => `${piece} 走了 ${cells} 格，但每步只能走一格`],
  [/^piece `(.+)` ends where it started$/, (piece) => `${piece} 回到了原处`],
  [new RegExp(`^ghost \`(.)\` at ${at} cannot go (\\w+): there is no corridor$`), (ghost, from, to) => `${cell(from)}的鬼 ${ghost} 不能向${directions[to]}走：那里没有通道`],
  [new RegExp(`^ghosts \`(.)\` and \`(.)\` are both at ${at}$`), (one, other, where) => `鬼 ${one} 与 ${other} 不能同在${cell(where)}`],
  [/^ghosts `(.)` and `(.)` exchange cells$/, (one, other) => `鬼 ${one} 与 ${other} 不能互换位置`],
  [/^found directions for (\d+) ghosts, expected (\d+)$/, (found, expected) => `有 ${found} 个鬼的方向，应为 ${expected} 个`],
  [/^an earlier move has already left the maze$/, () => "已经走出迷宫"],
  [new RegExp(`^the wall (\\w+) of ${at} belongs to the border and never moves$`), (to, from) => `${cell(from)}${directions[to]}边的墙是边界，不能移动`],
  [new RegExp(`^the wall (\\w+) of ${at} cannot be pushed: another wall is behind it$`), (to, from) => `${cell(from)}${directions[to]}边的墙推不动：后面还有一堵墙`],
  [new RegExp(`^${at} is not on the board$`), (where) => `${cell(where)}不在棋盘上`],
  [new RegExp(`^${at} is a wall$`), (where) => `${cell(where)}是墙`],
  [new RegExp(`^${at} and ${at} are not neighbours$`), (one, other) => `${cell(one)}与${cell(other)}不相邻`],
  [new RegExp(`^${at} and ${at} have pieces of the same colour$`), (one, other) => `${cell(one)}与${cell(other)}的棋子颜色相同`],
  [/^the stroke is not on the (?:boards?|map|maze)$/, () => "画在了棋盘之外"],
  [/^a piece cannot be on a wall$/, () => "棋子不能放在墙上"],
  [/^start the stroke on a piece$/, () => "请从棋子上开始画"],
  [/^the goal is not on the board$/, () => "目标不在棋盘上"],
  [/^there are too many pieces$/, () => "棋子太多"],
  [/^a ghost is drawn from its start to its goal$/, () => "请从鬼的起点画到终点"],
  [/^a map has from 1 to (\d+) ghosts$/, (most) => `地图上要有 1 到 ${most} 个鬼`],
  [/^a cell cannot be both a start and a goal$/, () => "同一格不能既是起点又是终点"],
  [/^an edge is between two cells$/, () => "边在两格之间"],
  [/^a (?:board|maze|map) has from (\S+) to (\S+) cells(?:, walls included)?$/, (least, most) => `棋盘的大小为 ${least} 到 ${most} 格`],
  [/^the text has several data sets; this is the first$/, () => "文本中有多个棋盘；这是第一个"],
  [/^pieces in parts that do not touch: (.*)$/, (pieces) => `有棋子由不相连的部分组成：${pieces}`],
  [/^all pieces are straight, and may move/, () => "所有棋子都是直条，可以向任何方向移动；若它们是只能前后移动的车，请在棋盘下方写 `lock: along`"],
  [/^`(.+)` expands more than (\d+) states; use a smaller instance$/, (engine, states) => `${engine} 扩展了超过 ${states} 个状态；请换一个更小的题目`],
  [/^the page shows boards of at most (\d+) parts, not (\d+)$/, (most, parts) => `页面最多显示 ${most} 个部件，而这里有 ${parts} 个`],
  [/^stopped, (.*)$/, (limit) => `搜索已停止：${words[limit] ?? limit}`],
  [/^found (.*), expected `\.` for a blank, `#` for a wall, or the character of a piece$/, (found) => `遇到 ${found}，应为 \`.\`（空格）、\`#\`（墙）或棋子的字符`],
  [/^found (.*), expected rows of a board, a code, or a name$/, (found) => `遇到 ${found}，应为棋盘的各行、编码或名称`],
  [/^found (.*), expected (.*)$/, (found, expected) => `遇到 ${found}，应为 ${expected}`],
];

/** What the program says, in Chinese if there is a sentence for it. */
const said = (text) => {
  for (const [pattern, sentence] of sentences) {
    const found = pattern.exec(text);
    if (found) return sentence(...found.slice(1));
  }
  return text;
};

export const chinese = { words, said };
