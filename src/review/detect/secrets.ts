import { findingAt, shorten } from '../changed-file.ts';
import type { Detector } from './detector.ts';

/** The forms that are looked for, by name. Only ones that hardly anything else has. */
const SECRET_FORMS: readonly [string, RegExp][] = [
  ['an AWS access key id', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{50,}\b/],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}\b/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{20,}\b/],
  ['a Slack webhook', /hooks\.slack\.com\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/[A-Za-z0-9]{20,}/],
  ['a Stripe key', /\b[rs]k_live_[A-Za-z0-9]{20,}\b/],
  ['a Google API key', /\bAIza[0-9A-Za-z_-]{35}\b/],
  ['an Anthropic key', /\bsk-ant-[A-Za-z0-9_-]{20,}/],
  ['an OpenAI key', /\bsk-(?:proj-|svcacct-)[A-Za-z0-9_-]{20,}|\bsk-[A-Za-z0-9]{48}\b/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a PyPI token', /\bpypi-AgEIcHlwaS[A-Za-z0-9_-]{20,}/],
  ['a SendGrid key', /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/],
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ['a JSON web token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/],
  [
    'a password in an address',
    /\b(?:https?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?):\/\/[^\s:/@'"`$<{]+:(?!(?:pass(?:word|wd)?|pw|secret|xxx+|\*+|test|postgres|root|example)@)[^\s/@'"`$<{]{6,}@(?!localhost|127\.|example\.|\[?::1)/,
  ],
];

/** Credentials that were written, whatever the file: a published test is published too. */
export const secrets: Detector = ({ files }) =>
  files.flatMap((file) =>
    file.newLines.flatMap(({ line, text }) => {
      const found = SECRET_FORMS.find(([, form]) => form.test(text));
      if (!found) return [];
      const [name, form] = found;
      const finding = findingAt(file, 'secret', 'after', line, `it has the form of ${name}`);
      // A report is passed on: the secret must not be in it a second time.
      return [{ ...finding, text: shorten(text.replace(form, (secret) => `${secret.slice(0, 4)}…`)) }];
    }),
  );
