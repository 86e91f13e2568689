import { defineConfig, type UserConfig } from 'tsdown';

const shared: UserConfig = {
  platform: 'node',
  target: 'node20',
  clean: true,
  // Everything that is used at run time is bundled: an installed baton has no dependency to resolve, and starts fast.
  deps: { alwaysBundle: [/.*/], onlyBundle: false },
  inputOptions: { resolve: { mainFields: ['module', 'main'] } },
  // Half the size on disk. Names stay, so that a stack trace says where something broke.
  minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
};

export default defineConfig([
  {
    // The library's types. Its code is in the bundles of the commands; lib/*.js makes ES modules of it.
    ...shared,
    format: 'esm',
    fixedExtension: false,
    entry: { index: 'src/index.ts', skills: 'src/skills-api.ts' },
    outDir: 'dist/lib',
    dts: { emitDtsOnly: true },
  },
  {
    // CommonJS, since it starts faster (docs/decisions/004).
    ...shared,
    format: 'cjs',
    shims: true,
    entry: {
      start: 'src/start.ts',
      main: 'src/main.ts',
      scripted: 'src/implementers/scripted/cli.ts',
      index: 'src/index.ts',
      skills: 'src/skills-api.ts',
    },
    outDir: 'dist/cli',
    dts: false,
  },
  {
    // The activation hook: one file that is copied into a project. `.cjs`, whatever that project's own files are.
    ...shared,
    format: 'cjs',
    fixedExtension: true,
    entry: { 'baton-activation': 'src/activation-hook.ts' },
    outDir: 'dist/hooks',
    outputOptions: { codeSplitting: false },
    dts: false,
  },
  {
    // The drop-in relay: one file that runs wherever it is copied, with Node alone.
    ...shared,
    format: 'esm',
    entry: { 'claude-relay': 'src/claude-relay.ts' },
    outDir: 'skills/delegate/scripts',
    outExtensions: () => ({ js: '.mjs' }),
    outputOptions: { codeSplitting: false },
    dts: false,
    clean: false,
  },
  {
    ...shared,
    format: 'esm',
    entry: { 'codex-relay': 'src/codex-relay.ts' },
    outDir: 'skills/delegate/scripts',
    outExtensions: () => ({ js: '.mjs' }),
    outputOptions: { codeSplitting: false },
    dts: false,
    clean: false,
  },
]);
