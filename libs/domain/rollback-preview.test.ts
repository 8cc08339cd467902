import { expect, it } from 'vitest';
import { previewRollback } from './rollback-preview.ts';

const descriptions = [
  { actionType: 'migrate', revertible: 'best-effort' as const },
  { actionType: 'change_nova_service_state', revertible: 'exact' as const },
];

it('tells of each action how well it can be undone, children before their parents', () => {
  const actions = [
    { uuid: 'disable', actionType: 'change_nova_service_state', parents: [] },
    { uuid: 'move', actionType: 'migrate', parents: ['disable'] },
    { uuid: 'unknown', actionType: 'teleport', parents: ['disable', 'move'] },
  ];
  expect(previewRollback(actions, descriptions)).toEqual({
    revertible: 'impossible',
    actions: [
      { uuid: 'unknown', actionType: 'teleport', revertible: 'impossible' },
      { uuid: 'move', actionType: 'migrate', revertible: 'best-effort' },
      { uuid: 'disable', actionType: 'change_nova_service_state', revertible: 'exact' },
    ],
  });
  expect(previewRollback(actions.slice(0, 2), descriptions).revertible).toBe('best-effort');
  expect(previewRollback([], descriptions)).toEqual({ revertible: 'exact', actions: [] });
});
