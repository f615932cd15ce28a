/** Names of free fields that careless code confuses with something else. */
export const oddNames = [
  ...['7', '0', '10', '4294967294', '4294967295', '007', '-1', '1.5'],
  ...['id ', ' code', 'ID', 'own', 'extra', 'x-canary', '', ' '],
  ...['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'length', 'then'],
  ...['a"b', 'a\\b', '\\', '\n', '\u2028', 'é', 'e\u0301', '🛏', '","id":"', '"end":null', 'data_services'],
]
