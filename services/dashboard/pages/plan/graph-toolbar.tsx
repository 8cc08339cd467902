import { Button, Switch } from '@patternfly/react-core';
import { text } from '../../texts/texts.ts';
import type { GraphView } from './use-graph-view.ts';

interface GraphToolbarProps {
  view: GraphView;
  isGrouped: boolean;
  /** Absent if there are too many actions to draw each. */
  onGrouped?: ((isGrouped: boolean) => void) | undefined;
  /** Collapses opened groups. Absent if none is open. */
  onClose?: (() => void) | undefined;
}

/** Zoom, fit and grouping of the drawing. */
export function GraphToolbar({ view, isGrouped, onGrouped, onClose }: GraphToolbarProps) {
  return (
    <div className="vigil-graph-tools">
      <Button variant="secondary" size="sm" aria-label={text('graph.smaller')} onClick={() => view.zoom(1 / 1.4)}>
        −
      </Button>
      <output aria-live="polite">{text('graph.scale', { percent: Math.round(view.scale * 100) })}</output>
      <Button variant="secondary" size="sm" aria-label={text('graph.larger')} onClick={() => view.zoom(1.4)}>
        +
      </Button>
      <Button variant="secondary" size="sm" onClick={view.fit}>
        {text('graph.fit')}
      </Button>
      {onGrouped && (
        <Switch
          id="graph-grouped"
          label={text('graph.grouped')}
          isChecked={isGrouped}
          onChange={(_event, next) => onGrouped(next)}
        />
      )}
      {onClose && (
        <Button variant="link" size="sm" onClick={onClose}>
          {text('graph.closeGroups')}
        </Button>
      )}
    </div>
  );
}
