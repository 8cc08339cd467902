import { type MouseEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { MovedInstance } from './moved-instance.ts';

/** Pixels from which a pressed pointer drags. Below, it clicks. */
const leastPixels = 5;

/** An instance that is dragged to a host. */
interface Drag {
  instance: MovedInstance;
  /** Position of the pointer in the window. */
  x: number;
  y: number;
  /** Host under the pointer. Null: none, or its own. */
  host: string | null;
}

interface Press {
  instance: MovedInstance;
  from: string;
  x: number;
  y: number;
}

/** Handlers of an element that can be dragged. */
interface DragHandlers {
  onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  onPointerCancel: () => void;
}

/**
 * Drags instances to elements with `data-host`, with mouse, pen or touch. Touch drags only from an element with
 * `data-grip`, so that a finger elsewhere scrolls. Escape ends it without a drop.
 * @param onDrop of an instance on another host than its own
 */
export function useDrag(onDrop: (instance: MovedInstance, host: string) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const press = useRef<Press | null>(null);
  const hasDragged = useRef(false);
  const end = useCallback(() => {
    press.current = null;
    setDrag(null);
  }, []);
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return;
    const endByEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') end();
    };
    window.addEventListener('keydown', endByEscape);
    // A live update can remove the dragged element, which then gets no event.
    window.addEventListener('pointerup', end);
    return () => {
      window.removeEventListener('keydown', endByEscape);
      window.removeEventListener('pointerup', end);
    };
  }, [isDragging, end]);
  const handlersOf = (instance: MovedInstance, from: string): DragHandlers => ({
    onPointerDown(event) {
      hasDragged.current = false;
      if (event.button !== 0 || (event.pointerType === 'touch' && !isGrip(event.target))) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      press.current = { instance, from, x: event.clientX, y: event.clientY };
    },
    onPointerMove({ clientX: x, clientY: y }) {
      const pressed = press.current;
      if (!pressed || (!isDragging && Math.hypot(x - pressed.x, y - pressed.y) < leastPixels)) return;
      hasDragged.current = true;
      setDrag({ instance: pressed.instance, x, y, host: hostAt(x, y, pressed.from) });
    },
    onPointerUp({ clientX: x, clientY: y }) {
      const pressed = press.current;
      const host = pressed && isDragging ? hostAt(x, y, pressed.from) : null;
      end();
      if (pressed && host !== null) onDrop(pressed.instance, host);
    },
    onPointerCancel: end,
  });
  /** Whether a click is the end of a drag. A click by keyboard has the detail 0. */
  const wasDrag = ({ detail }: MouseEvent) => detail > 0 && hasDragged.current;
  return { drag, handlersOf, wasDrag };
}

function isGrip(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-grip]') !== null;
}

function hostAt(x: number, y: number, from: string): string | null {
  const host = document.elementFromPoint(x, y)?.closest('[data-host]')?.getAttribute('data-host') ?? null;
  return host === from ? null : host;
}
