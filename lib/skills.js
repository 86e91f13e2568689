export * from '../dist/cli/skills.cjs';
