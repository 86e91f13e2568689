// What a terminal would show of a program's output, and a picture of it.

/** One piece of a line: text in one look. @typedef {{ text: string, classes: string[] }} Piece */

/**
 * The lines that are left on the screen, and every state that the last line had before it was drawn over. Knows what
 * baton prints: colours, `\r`, and the clearing of a line. Throws for anything else, so that no picture is wrong unseen.
 *
 * @param {string} output
 * @returns {{ lines: Piece[][], redrawn: Piece[][] }}
 */
export function playTerminal(output) {
  const lines = [[]];
  const redrawn = [];
  let look = new Set();
  for (const [, text, end, codes, command] of output.matchAll(
    /([^\r\n\u001b]+)|([\r\n])|\u001b\[([\d;]*)([A-Za-z])/g,
  )) {
    if (text !== undefined) lines.at(-1).push({ text, classes: [...look] });
    else if (end === '\n') lines.push([]);
    else if (command === 'm') look = nextLook(look, codes);
    else if (command === 'K') {
      if (lines.at(-1).length > 0) redrawn.push(lines.at(-1));
      lines[lines.length - 1] = [];
    } else if (command !== undefined)
      throw new Error(`an escape sequence that is not known: ${codes}${command}`);
  }
  return { lines, redrawn };
}

const COLOURS = { 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' };

function nextLook(before, codes) {
  const look = new Set(before);
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) look.clear();
    else if (code === 1) look.add('bold');
    else if (code === 2) look.add('dim');
    else if (code === 22) ['bold', 'dim'].forEach((name) => look.delete(name));
    else if (code === 39 || COLOURS[code]) {
      Object.values(COLOURS).forEach((name) => look.delete(name));
      if (COLOURS[code]) look.add(COLOURS[code]);
    } else throw new Error(`a look that is not known: ${code}`);
  }
  return look;
}

export function textOf(line) {
  return line.map(({ text }) => text).join('');
}

const CELL = { width: 8, height: 18 };
const EDGE = 18;

// A file of its own follows the reader's light or dark mode without the page's help.
const STYLE = `
text { font: 13.3px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace; fill: #1f2328; white-space: pre }
rect { fill: #f6f8fa; stroke: #d1d9e0 }
.bold { font-weight: 700 } .dim { fill: #656d76 } .red { fill: #c4232c } .green { fill: #157a34 } .yellow { fill: #8a5a00 }
.blue { fill: #0550ae } .magenta { fill: #8250df } .cyan { fill: #0b6b76 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #0d1117; stroke: #30363d }
.dim { fill: #8b949e } .red { fill: #ff7b72 } .green { fill: #56d364 } .yellow { fill: #e3b341 }
.blue { fill: #79c0ff } .magenta { fill: #d2a8ff } .cyan { fill: #76e3ea }
}`;

/**
 * An SVG of lines. Each piece is stretched to its cells, so that columns stand under each other in any font.
 *
 * @param {{ lines: Piece[][], columns: number, title: string }} screen
 */
export function svgOf({ lines, columns, title }) {
  const rows = lines.flatMap((line) => wrap(line, columns));
  const width = columns * CELL.width + 2 * EDGE;
  const height = rows.length * CELL.height + 2 * EDGE;
  const texts = rows.flatMap((row, at) => {
    const y = EDGE + at * CELL.height + 13;
    let column = 0;
    return row.map(({ text, classes }) => {
      const x = EDGE + column * CELL.width;
      column += text.length;
      if (text.trim() === '') return '';
      const look = classes.length > 0 ? ` class="${classes.sort().join(' ')}"` : '';
      return `<text x="${x}" y="${y}" textLength="${text.length * CELL.width}" lengthAdjust="spacingAndGlyphs" xml:space="preserve"${look}>${escape(text)}</text>`;
    });
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...texts.filter((text) => text !== ''),
    '</svg>\n',
  ].join('\n');
}

/** As a terminal breaks a line that is longer than it is wide. */
function wrap(line, columns) {
  const rows = [[]];
  let column = 0;
  for (const { text, classes } of line) {
    for (let from = 0; from < text.length; ) {
      if (column === columns) {
        rows.push([]);
        column = 0;
      }
      const part = text.slice(from, from + columns - column);
      rows.at(-1).push({ text: part, classes });
      from += part.length;
      column += part.length;
    }
  }
  return rows;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
