#!/usr/bin/env node
const path = require('node:path');
require('../dist/cli/start.cjs').start(path.join(__dirname, '..', 'dist', 'cli', 'main.cjs'), require);
