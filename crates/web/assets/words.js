// The words of the page. What the program says, such as a rule that a move breaks, is English.

const en = {
  puzzle: "Puzzle", language: "Language", theme: "Colours", auto: "Auto", light: "Light", dark: "Dark",
  board: "Board", playTab: "Play", editTab: "Edit", compareTab: "Compare",
  texts: "Text and files", share: "Share", instances: "Instances", search: "Search by name", recent: "Recent", kept: "What you have solved", exportKept: "Export", removeKept: "Remove all",
  undo: "Undo", redo: "Redo", hint: "Hint", solve: "Solve", step: "Make the step", together: "Move several at once",
  legal: "Legal moves", line: "Moves", textLine: "Line", row: "row", column: "column", black: "black", white: "white", hue4: "player", close: "Close", moves: "moves", unsolvable: "unsolvable",
  keys: "Drag pieces, or choose one with Tab and move it with the arrow keys (with Shift, several arrows are one path). "
    + "U undoes, R redoes, H is a hint. Outside the board, arrows go back and forward, and Space plays.",
  solved: "Solved", searching: "Searching …", atLeast: "at least", fewest: "from here, and no plan is shorter",
  noPlan: "No plan exists from here: proved.", keeps: "keeps to a shortest plan", unexamined: "not examined yet", deadEnd: "dead end",
  end: "Solved in #; the fewest is", endBest: "Solved in #, and no plan is shorter.", wasted: "These moves did not help:",
  states: "states", more: "Not all are listed.", joint: "These are the moves of one ghost. Several can move at once; where no move here keeps to a shortest plan, a joint one does.", 
  hintPart: "The marked piece moves next.", hintMove: "Next:", hintPlan: "A shortest plan is among the moves.", notProved: "The plan that was found is not proved to be a shortest one:",
  plan: "A shortest plan of", plans: "shortest plans in all", onePlan: "shortest plan in all", planLimit: "The number of shortest plans is not known:",
  stopped: "The search was stopped:", limits: "the options time and memory of `fewest serve` set the limits",
  pageLimits: "this page searches for a minute, with 512 MiB; the programs have no such limits", proved: "It is proved that a plan has",
  memory: "out of memory", time: "out of time", interrupted: "the program ends", nothing: "Nothing found.", showBest: "Show which moves are good", 
  textOf: "The position as text", importText: "Read a text", read: "Read", choose: "Choose a file",
  drop: "Paste a text, choose a file, or drop one here.", download: "Download", asText: "Moves as text",
  asBoard: "Board as SVG", asStrip: "Moves as SVG", asGif: "Moves as GIF", asPage: "Moves as a page",
  copy: "Copy", lost: "The program does not answer.", restarted: "The program was started again: open the address that it has printed.",
  curve: "Moves left after each move", badSize: "Rows and columns, such as 5x4", copied: "Copied", shareAbout: "This has the board and all moves of the line. Put it behind the address of any copy of this page: a file, a web server, or `fewest serve`.",
  sharePage: "This opens the board and all moves of the line.", challenge: "Can you do it in #?",
  damaged: "This link is damaged, or of another version.", noSuch: "This link is of a puzzle that is not here.",
  text: "Text", scenario: "Scenario of a MovingAI map, if the text is one", agents: "Agents", size: "Rows x columns", blank: "New board", brushes: "Brushes", format: "The format", 
  piece: "Piece", gap: "Gap", wall: "Wall", goal: "Goal", lock: "Lock", gate: "Gate", corridor: "Corridor", ghost: "Ghost", start: "Start",
  metric: "Moves", rectilinear: "rectilinear: any path", straight: "straight: one direction", unit: "unit: one cell", names: "Names",
  compareText: "Two engines on this board, each stopped after more and more states. A row is a lower bound of the number of moves; "
    + "its bar is the number of states that are expanded while it is what is proved.",
  compareAbout: "Both searches run with the same number of expanded states, and the bars of both have the same scale: what a good lower bound saves is the area that one picture lacks.",
  compare: "Compare", play: "Play", engine: "Engine", expanded: "expanded", generated: "generated", duplicates: "duplicates",
  bound: "lower bound", answer: "answer",
};

const zh = {
  puzzle: "谜题", language: "语言", theme: "颜色", auto: "自动", light: "浅色", dark: "深色",
  board: "棋盘", playTab: "游玩", editTab: "编辑", compareTab: "比较",
  texts: "文本与文件", share: "分享", instances: "题目", search: "按名称搜索", recent: "最近", kept: "你的解题记录", exportKept: "导出", removeKept: "全部删除",
  undo: "撤销", redo: "重做", hint: "提示", solve: "求解", step: "走这一步", together: "同时移动多个",
  legal: "合法走法", line: "走法", textLine: "行", row: "行", column: "列", black: "黑", white: "白", hue4: "玩家", close: "关闭", moves: "步", unsolvable: "无解",
  keys: "拖动棋子，或用 Tab 选择、用方向键移动（按住 Shift 可连续输入一条路径）。U 撤销，R 重做，H 提示。在棋盘之外，方向键前后翻看，空格播放。",
  solved: "已解决", searching: "搜索中……", atLeast: "至少", fewest: "（从此处起，已证明最短）",
  noPlan: "已证明：从此处起无解。", keeps: "仍在最短解上", unexamined: "尚未分析", deadEnd: "死路",
  end: "用 # 解决；最少为", endBest: "用 # 解决，已证明最短。", wasted: "以下走法没有帮助：",
  states: "个状态", more: "未全部列出。", joint: "这里列出的是单个鬼的走法。多个鬼可以同时移动；若此处没有保持最短的走法，则同时移动的走法中有。", 
  hintPart: "下一步移动有标记的棋子。", hintMove: "下一步：", hintPlan: "最短解已加入走法。", notProved: "找到的解尚未证明是最短的：",
  plan: "最短解：", plans: "个最短解", onePlan: "个最短解", planLimit: "最短解的个数未知：",
  stopped: "搜索已停止：", limits: "上限由 `fewest serve` 的选项 time 与 memory 设定",
  pageLimits: "此页面最多搜索一分钟、使用 512 MiB；程序没有这些上限", interrupted: "程序即将结束", proved: "已证明：步数",
  memory: "内存不足", time: "时间用尽", "out of memory": "内存不足", "out of time": "时间用尽", nothing: "没有找到。", showBest: "显示哪些走法是好的", 
  textOf: "当前局面的文本", importText: "读入文本", read: "读入", choose: "选择文件",
  drop: "粘贴文本、选择文件，或将文件拖放到此处。", download: "下载", asText: "走法（文本）",
  asBoard: "棋盘（SVG）", asStrip: "走法（SVG）", asGif: "走法（GIF）", asPage: "走法（网页）",
  copy: "复制", lost: "程序没有响应。", restarted: "程序已重新启动：请打开它新显示的地址。",
  curve: "每一步之后剩余的步数", badSize: "行数与列数，例如 5x4", copied: "已复制", shareAbout: "其中包含棋盘与整条走法。接在此页面任何一份副本（文件、网站或 `fewest serve`）的地址之后即可打开。",
  sharePage: "打开此地址即可看到棋盘与整条走法。", challenge: "你能用 # 完成吗？",
  damaged: "此链接已损坏，或版本不同。", noSuch: "此处没有该链接的谜题。",
  text: "文本", scenario: "MovingAI 地图的 scenario（如果文本是地图）", agents: "数量", size: "行 x 列", blank: "新棋盘", brushes: "画笔", format: "格式", 
  piece: "棋子", gap: "空格", wall: "墙", goal: "目标", lock: "锁定", gate: "闸门", corridor: "通道", ghost: "鬼", start: "起点",
  metric: "步的算法", rectilinear: "任意路径", straight: "直线", unit: "一格", names: "人名",
  compareText: "两种算法在同一棋盘上，各在扩展越来越多的状态后停止。每一行是步数的一个下界，条的长度是在证明到这个下界时扩展的状态数。",
  compareAbout: "两边扩展的状态数相同，条的比例也相同：好的下界所节省的，就是其中一张图所缺少的面积。",
  compare: "比较", play: "播放", engine: "算法", expanded: "已扩展", generated: "已生成", duplicates: "重复",
  bound: "下界", answer: "答案",
  halloween: "万圣节后的早晨", "wall-pusher": "推墙", klotski: "华容道", "black-white": "黑白棋子移动",
  "klotski.about": "滑动棋子，直到有目标的棋子都到达目标", "halloween.about": "把每个鬼送到它的目标；所有的鬼可以同时移动，但不能互换位置",
  "wall-pusher.about": "走出迷宫；身后没有墙挡住的墙可以推动", "black-white.about": "交换相邻的棋子，直到与右边的目标相同",
  "klotski.piece": "在划过的格上放一个新棋子", "klotski.gap": "清除格上的内容", "klotski.wall": "把格变成墙",
  "klotski.goal": "把棋子拖到它的目标；轻点棋子则取消目标", "klotski.gate": "只有有目标的棋子可以进入这些格", "klotski.lock": "沿一个方向划过棋子，使其只能沿此方向移动；轻点则解锁",
  "halloween.wall": "把格变成墙", "halloween.corridor": "把格变成通道", "halloween.ghost": "从鬼的起点拖到终点；轻点鬼则移除",
  "wall-pusher.wall": "在格的边上放墙，或移除墙", "wall-pusher.start": "设置起点",
  "black-white.piece": "改变棋子的颜色（棋盘或目标）", "black-white.wall": "把格变成墙，或移除墙",
};

const languages = { en, zh };

/** The language that the browser asks for. */
export const preferred = navigator.language.startsWith("zh") ? "zh" : "en";

/** The words of a language: a function of their keys, and of what is said without a word of its own. */
export const wordsOf = (language) => (key, otherwise) => languages[language][key] ?? otherwise ?? en[key] ?? key;
