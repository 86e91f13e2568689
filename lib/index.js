// The library: its code lies in the bundles of the commands, which are CommonJS (docs/decisions/004).
export * from '../dist/cli/index.cjs';
