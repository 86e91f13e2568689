/** Text that may stand in a page as it is: only `html` makes it. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Markup | string | number | null | readonly Markup[];

/**
 * A piece of a page. Whatever is put into it is escaped, unless it is a piece itself: that is the whole of what keeps the
 * words of an implementer from becoming elements, so no other way leads into a page.
 */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = fixed[0] ?? '';
  parts.forEach((part, at) => {
    text += textOf(part) + (fixed[at + 1] ?? '');
  });
  return new Markup(text);
}

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map((one) => one.text).join('');
  return escapeHtml(String(part));
}

const NAMES: { [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/**
 * For text and for quoted attributes. Control characters and the ones that turn the direction of writing (with which code
 * can look unlike what it is) are shown by their number; a lone surrogate, which no file can hold, too.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"'`]/g, (sign) => NAMES[sign] ?? '')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
