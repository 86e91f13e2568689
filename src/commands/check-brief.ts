import { UsageError } from '../core/errors.ts';
import type { DispatchOptions } from '../dispatch/options.ts';
import { briefCheck } from '../verbs/brief-check.ts';
import { findingText } from './brief-text.ts';
import type { Io } from './io.ts';
import { styleFor } from './style.ts';

/** Shows on stderr what a brief lacks before a dispatch. Throws a UsageError where an error is among it. */
export async function refuseBrief(options: DispatchOptions, io: Io): Promise<void> {
  const findings = await briefCheck({
    brief: Buffer.from(options.brief),
    touch: options.touch ?? [],
    readOnly: options.readOnly ?? false,
    cd: options.cd ?? process.cwd(),
    env: io.env,
  });
  const style = styleFor(io.stderr.isTTY && io.colour);
  for (const finding of findings) io.stderr.write(findingText(finding, style));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors === 0) return;
  throw new UsageError(
    `the brief has ${errors === 1 ? 'an error' : `${errors} errors`}: nothing was started`,
    {
      hint: 'mend it, or leave --check-brief out',
    },
  );
}
