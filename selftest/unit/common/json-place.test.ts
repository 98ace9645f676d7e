import { expect, test } from 'vitest';
import { placeIn } from '../../../common/json-place.ts';

const text = `{
  "POST /v1/agents": {"name": "a, {b}: \\"c\\""},
  "shapes": {
    "agents": {"id": "/uid"},
    "leads": [1, {"x": null}, [2, "three"]]
  }
}`;

test.for([
  [['POST /v1/agents'], 'line 2, column 3'],
  [['shapes'], 'line 3, column 3'],
  [['shapes', 'agents', 'id'], 'line 4, column 16'],
  [['shapes', 'leads', 1, 'x'], 'line 5, column 19'],
  [['shapes', 'leads', 2, 1], 'line 5, column 35'],
  [['shapes', 'leads', 2], 'line 5, column 31'],
  [['shapes', 'nowhere', 'at'], 'line 3, column 3'],
  [[], 'line 1, column 1'],
] as const)('%j is at %s', ([pointer, place]) => {
  expect(placeIn(text, pointer)).toBe(place);
});

test('entries of a list are told apart', () => {
  const list = '[\n  {"clause": "a"},\n  {"clause": "b", "expires": "x"}\n]';
  expect([placeIn(list, [0]), placeIn(list, [1]), placeIn(list, [1, 'expires'])]).toEqual([
    'line 2, column 3',
    'line 3, column 3',
    'line 3, column 19',
  ]);
});
