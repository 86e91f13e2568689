#!/usr/bin/env node
const { join } = require('node:path');
require('../dist/cli/start.cjs').start(join(__dirname, '..', 'dist', 'cli', 'main.cjs'), require);
