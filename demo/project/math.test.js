import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, negate, subtract } from './math.js';

test('add', () => assert.equal(add(2, 3), 5));
test('subtract', () => assert.equal(subtract(5, 3), 2));
test('negate', () => assert.equal(negate(4), -4));
