"""A writer of glTF files (.glb) for the scripts that make the bodies of scenes."""
import json
import struct


class Glb:
    """The parts of a glTF document, and its binary buffer."""

    def __init__(self, generator):
        self.data = bytearray()
        self.document = {'asset': {'version': '2.0', 'generator': generator}, 'scene': 0, 'scenes': [{'nodes': []}],
                         'nodes': [], 'meshes': [], 'materials': [], 'skins': [], 'animations': [], 'buffers': [],
                         'bufferViews': [], 'accessors': []}

    def append(self, kind, value):
        self.document[kind].append(value)
        return len(self.document[kind]) - 1

    def accessor(self, kind, component, rows, bounds=False):
        """component: f for float, B and H for unsigned integers of 8 and 16 bits."""
        fmt = '<' + str(len(rows[0])) + component
        start = len(self.data)
        for row in rows:
            self.data += struct.pack(fmt, *row)
        view = self.append('bufferViews', {'buffer': 0, 'byteOffset': start, 'byteLength': len(self.data) - start})
        self.data += bytes(-len(self.data) % 4)
        accessor = {'bufferView': view, 'componentType': {'f': 5126, 'B': 5121, 'H': 5123}[component],
                    'count': len(rows), 'type': kind}
        if bounds:
            columns = list(zip(*(struct.unpack(fmt, struct.pack(fmt, *row)) for row in rows)))
            accessor.update(min=[min(c) for c in columns], max=[max(c) for c in columns])
        return self.append('accessors', accessor)

    def bytes(self):
        self.append('buffers', {'byteLength': len(self.data)})
        text = json.dumps(self.document, separators=(',', ':')).encode()
        text += b' ' * (-len(text) % 4)
        return (struct.pack('<4sII', b'glTF', 2, 12 + 8 + len(text) + 8 + len(self.data))
                + struct.pack('<I4s', len(text), b'JSON') + text
                + struct.pack('<I4s', len(self.data), b'BIN\0') + self.data)
