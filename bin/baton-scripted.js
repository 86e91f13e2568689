#!/usr/bin/env node
import '../dist/scripted.js';
