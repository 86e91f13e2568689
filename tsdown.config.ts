import { defineConfig, type UserConfig } from 'tsdown';

const shared: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  // Everything that is used at run time is bundled: an installed baton has no dependency to resolve, and starts fast.
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
};

export default defineConfig([
  {
    ...shared,
    entry: { main: 'src/main.ts', index: 'src/index.ts', scripted: 'src/implementers/scripted/cli.ts' },
    dts: { entry: 'src/index.ts' },
    clean: true,
  },
  {
    // The drop-in relay: one file that runs wherever it is copied, with Node alone.
    ...shared,
    entry: { 'claude-relay': 'src/claude-relay.ts' },
    outDir: 'skills/delegate/scripts',
    outExtensions: () => ({ js: '.mjs' }),
    outputOptions: { codeSplitting: false },
    dts: false,
    clean: false,
  },
]);
